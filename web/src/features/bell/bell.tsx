import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { IconBell } from "../../ui/icons.tsx";
import { showBelow } from "../../ui/lists/show-below.ts";
import { formatCount } from "../../ui/numbers/format.ts";
import { PopPanel } from "../../ui/pop-panel.tsx";
import tool from "../../ui/tool-button.module.css";
import { currentUnread, onUnread } from "../live/stream.ts";
import styles from "./bell.module.css";
import { Inbox } from "./inbox.tsx";
import { bellTexts } from "./texts.ts";

const LOOK_MS = 60_000;
/** A stream tells the number once it is open: only without one it is asked for. */
const FIRST_LOOK_MS = 3_000;
const MOST = 99;

/** How many notifications are not read, and the list of all. */
export function Bell() {
  const queries = useQueryClient();
  const heard = useSyncExternalStore(onUnread, currentUnread);
  // Where there is no stream.
  const looked = useQuery({
    queryKey: keys.unread,
    queryFn: async () => (await api.listNotifications({ query: { limit: 1 } })).data.unread,
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.dataUpdateCount + state.errorUpdateCount === 0 ? FIRST_LOOK_MS : LOOK_MS),
    enabled: heard === null,
    retry: false,
  });
  const unread = heard ?? looked.data;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (heard !== null) void queries.invalidateQueries({ queryKey: keys.inbox });
  }, [heard, queries]);
  const close = () => panel.current?.hidePopover();
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`${tool.button} ${styles.bell}`}
        aria-label={bellTexts.button(unread)}
        data-hint={bellTexts.title}
        aria-haspopup="dialog"
        aria-expanded={false}
        aria-controls={id}
        onClick={() => {
          if (trigger.current && panel.current) showBelow(trigger.current, panel.current);
          panel.current?.focus();
        }}
      >
        <IconBell size={18} />
        {unread > 0 && <span className={styles.count}>{unread > MOST ? `${MOST}+` : formatCount(unread)}</span>}
      </button>
      <PopPanel ref={panel} id={id} label={bellTexts.title} className={styles.panel} onToggle={setOpen}>
        {isOpen && <Inbox onGone={close} />}
      </PopPanel>
    </>
  );
}
