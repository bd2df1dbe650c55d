import { Link, type LinkProps, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { IconMenu } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import styles from "./side-layout.module.css";

interface SideLayoutProps<Path extends string> {
  readonly label: string;
  readonly menu: (page: string) => string;
  /** The names of the pages by their paths, in order. */
  readonly pages: Readonly<Record<Path, string>>;
}

/** The frame of pages that belong together: their list at the side, or as a menu where it is narrow. */
export function SideLayout<Path extends LinkProps["to"] & string>({ label, menu, pages }: SideLayoutProps<Path>) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const paths = Object.keys(pages) as Path[];
  const current = paths.find((path) => pathname.startsWith(path));
  return (
    <div className={styles.frame}>
      <nav className={styles.side} aria-label={label}>
        {paths.map((path) => (
          <Link key={path} to={path as LinkProps["to"]} activeProps={{ "aria-current": "page" }}>
            {pages[path]}
          </Link>
        ))}
      </nav>
      <div className={styles.menu}>
        <Menu
          label={menu(current ? pages[current] : "")}
          isBoxed
          button={
            <>
              <IconMenu />
              {current && pages[current]}
            </>
          }
        >
          {paths.map((path) => (
            <MenuItem key={path} onChoose={() => void navigate({ to: path as LinkProps["to"] })}>
              {pages[path]}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
