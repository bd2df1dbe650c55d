import { useMantineColorScheme } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, useState, useSyncExternalStore } from "react";
import { limits } from "../../../contract/limits.ts";
import { api } from "../api/client.ts";
import { facts } from "../api/facts.ts";
import { failureText } from "../api/failure.ts";
import { keys } from "../api/keys.ts";
import { endSession, useSession } from "../api/session.ts";
import { later } from "../features/live/later.ts";
import { CommandHost } from "../features/palette/command-host.tsx";
import { showCommands, useCommands } from "../features/palette/commands.ts";
import { WaitingCount } from "../features/reviews/waiting-count.tsx";
import { dropDrafts, unsavedIds } from "../features/trees/sync/drafts.ts";
import { FloatingNotice, floatingPlace } from "../ui/floating-notice.tsx";
import { IconSearch } from "../ui/icons.tsx";
import { Menu, MenuGroup, MenuItem } from "../ui/menu.tsx";
import notices from "../ui/notice.module.css";
import { NoticeButton } from "../ui/notice.tsx";
import { Part } from "../ui/part.tsx";
import { Person } from "../ui/person.tsx";
import { uiTexts } from "../ui/texts.ts";
import tool from "../ui/tool-button.module.css";
import styles from "./layout.module.css";
import { appTexts } from "./texts.ts";

const Bell = later(async () => (await import("../features/bell/bell.tsx")).Bell);

/** The frame of every page for those who are signed in. */
export function Layout() {
  const session = useSession();
  return (
    <>
      <a className={styles.skip} href="#content">
        {appTexts.skip}
      </a>
      <header className={styles.header}>
        <Link to="/estimations" className={styles.brand} aria-label={uiTexts.product}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span>{uiTexts.product}</span>
        </Link>
        <nav aria-label={appTexts.header.label} className={styles.nav}>
          <Link to="/estimations" activeProps={{ "aria-current": "page" }}>
            {appTexts.header.estimations}
          </Link>
          <Link to="/reviews" activeProps={{ "aria-current": "page" }} className={styles.counted}>
            {appTexts.header.reviews}
            {session !== null && <WaitingCount text={appTexts.header.waiting} />}
          </Link>
          <Link to="/shared" activeProps={{ "aria-current": "page" }}>
            {appTexts.header.shared}
          </Link>
          <Link to="/teams" activeProps={{ "aria-current": "page" }}>
            {appTexts.header.teams}
          </Link>
          <Link to="/docs" activeProps={{ "aria-current": "page" }}>
            {appTexts.header.docs}
          </Link>
        </nav>
        <button
          type="button"
          className={`${tool.button} ${tool.boxed}`}
          aria-keyshortcuts="Control+K"
          data-hint={`${appTexts.header.find} (${appTexts.header.findKeys})`}
          onClick={() => showCommands("palette")}
        >
          <IconSearch />
          <kbd>{appTexts.header.findKeys}</kbd>
          <span className="unseen">{appTexts.header.find}</span>
        </button>
        {session !== null && (
          <Part fallback={<span className={styles.bell} />}>
            <Bell />
          </Part>
        )}
        <AccountMenu />
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <div id={floatingPlace} className={notices.floating} data-over />
      <Offline />
      <Unverified />
      <CommandHost />
    </>
  );
}

const Confirm = lazy(async () => ({ default: (await import("../ui/confirm.tsx")).Confirm }));

/** Ends the session of these headers alone; all of them where it is not among those that are listed first. */
async function endThis(headers: { readonly authorization: string }): Promise<void> {
  const { data } = await api.listSessions({ headers, query: { limit: limits.pageSizeMax } });
  const id = data.sessions.find(({ current }) => current)?.id;
  await (id === undefined ? api.logOut({ headers }) : api.endSession({ headers, params: { id } }));
}

/** What is confirmed needs no response. */
const NOTHING_SENT = { isPending: false, error: null };

const THEMES = ["light", "dark", "auto"] as const;

function AccountMenu() {
  const session = useSession();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [isAsking, setAsking] = useState(false);
  // The session ends here and in all tabs at once, even if the service cannot be told.
  const signOut = () => {
    if (session === null) return;
    const headers = { authorization: `Bearer ${session.token}` };
    endSession("signed-out");
    dropDrafts(session.userId);
    endThis(headers).catch(() => {});
  };
  const leave = () => (session !== null && unsavedIds(session.userId) !== "" ? setAsking(true) : signOut());
  useCommands(async () => ({
    isOfAll: true,
    items: session === null ? [] : [{ id: "sign out", label: appTexts.header.signOut, run: leave }],
  }));
  if (session === null) return null;
  return (
    <>
      <Menu
        className={styles.account}
        label={appTexts.header.account(session.name)}
        button={
          <Person name={session.name}>
            <span className={styles.name}>{session.name}</span>
          </Person>
        }
      >
        <div className={styles.who} role="presentation">
          <strong>{session.name}</strong>
          <span className="muted">{session.email}</span>
        </div>
        <MenuItem onChoose={() => void navigate({ to: "/profile" })}>{appTexts.header.profile}</MenuItem>
        {session.isAdministrator && (
          <MenuItem onChoose={() => void navigate({ to: "/admin/users" })}>{appTexts.header.admin}</MenuItem>
        )}
        <MenuItem onChoose={() => void navigate({ to: "/accuracy" })}>{appTexts.header.accuracy}</MenuItem>
        <MenuItem onChoose={() => void navigate({ to: "/glossary" })}>{appTexts.header.glossary}</MenuItem>
        <MenuGroup label={appTexts.header.theme}>
          {THEMES.map((name) => (
            <MenuItem key={name} checked={colorScheme === name} onChoose={() => setColorScheme(name)}>
              {appTexts.header.themes[name]}
            </MenuItem>
          ))}
        </MenuGroup>
        <MenuItem onChoose={leave}>{appTexts.header.signOut}</MenuItem>
      </Menu>
      {isAsking && (
        <Part>
          <Confirm
            title={appTexts.header.unsavedTitle}
            text={appTexts.header.unsavedText}
            action={appTexts.header.signOut}
            request={NOTHING_SENT}
            onConfirm={signOut}
            onClose={() => setAsking(false)}
          />
        </Part>
      )}
    </>
  );
}

function watchConnection(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

function Offline() {
  const online = useSyncExternalStore(watchConnection, () => navigator.onLine);
  return online ? null : <FloatingNotice kind="warn">{appTexts.offline}</FloatingNotice>;
}

/** Asks to confirm the address, until another tab, or another device, has done so. */
function Unverified() {
  const session = useSession();
  const isOpen = facts.provesAddresses && session !== null && !session.isVerified;
  const me = useQuery({ queryKey: keys.me, queryFn: () => api.getCurrentUser(), enabled: isOpen });
  const resend = useMutation({ mutationFn: () => api.resendVerification() });
  const user = me.data?.data.user;
  if (!isOpen || user?.emailVerifiedAt !== null) return null;
  return (
    <FloatingNotice
      kind="warn"
      action={
        resend.isSuccess ? (
          appTexts.header.resent
        ) : (
          <NoticeButton onClick={() => resend.isPending || resend.mutate()}>{appTexts.header.resend}</NoticeButton>
        )
      }
    >
      {resend.isError
        ? failureText(resend.error)
        : user.undeliveredAt === null
          ? appTexts.header.unverified
          : appTexts.header.undelivered(user.email)}
    </FloatingNotice>
  );
}
