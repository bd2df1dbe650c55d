import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { IconMenu } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import styles from "./profile-layout.module.css";
import { profileTexts } from "./texts.ts";

const { pages, label, menu } = profileTexts;

const PATHS = [
  "/profile/security",
  "/profile/api-keys",
  "/profile/webhooks",
  "/profile/connections",
  "/profile/notifications",
] as const;

/** The frame of the pages about the reader's own account: their list at the side, or as a menu where it is narrow. */
export function ProfileLayout() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const current = PATHS.find((path) => pathname.startsWith(path));
  return (
    <div className={styles.frame}>
      <nav className={styles.side} aria-label={label}>
        {PATHS.map((path) => (
          <Link key={path} to={path} activeProps={{ "aria-current": "page" }}>
            {pages[path]}
          </Link>
        ))}
      </nav>
      <div className={styles.menu}>
        <Menu
          label={menu(current ? pages[current] : "")}
          className={styles.button}
          button={
            <>
              <IconMenu />
              {current && pages[current]}
            </>
          }
        >
          {PATHS.map((path) => (
            <MenuItem key={path} onChoose={() => void navigate({ to: path })}>
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
