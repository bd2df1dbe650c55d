import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Thread } from "../../../../contract/endpoints/threads.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { described } from "../../ui/hinted.ts";
import { IconMore } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import tool from "../../ui/tool-button.module.css";
import { targetsOf } from "./merge-targets.ts";
import { NameDialog } from "./name-dialog.tsx";
import { Refusal } from "./refusal.tsx";
import { versionTexts } from "./texts.ts";
import type { HistoryChanges } from "./use-history-changes.ts";
import styles from "./versions.module.css";

const t = versionTexts.threads;

interface ThreadListProps {
  readonly estimation: Estimation;
  readonly threads: readonly Thread[];
  /** The id of the thread whose versions show; undefined: all. */
  readonly shown: string | undefined;
  readonly canEdit: boolean;
  readonly changes: HistoryChanges;
  readonly onMerge: (thread: Thread) => void;
}

/** The threads of an estimation, where it has several: which one is worked on, and which one's versions show. */
export function ThreadList({ estimation, threads, shown, canEdit, changes, onMerge }: ThreadListProps) {
  const navigate = useNavigate({ from: "/estimations/$id/versions" });
  const [asked, setAsked] = useState<{ readonly what: "rename" | "remove"; readonly thread: Thread } | null>(null);
  const { change, remove, switchTo } = changes;
  const ask = (what: "rename" | "remove", thread: Thread) => {
    for (const request of [change, remove, switchTo]) request.reset();
    setAsked({ what, thread });
  };
  const show = (thread: string | undefined) => void navigate({ search: { thread }, replace: true });
  const failed = switchTo.error ?? (asked === null ? change.error : null);
  return (
    <section aria-label={t.title} className={styles.threads}>
      <h2>{t.title}</h2>
      <p className="muted">{t.intro}</p>
      <Refusal error={failed} />
      <ul>
        {threads.map((thread, at) => (
          <li key={thread.id} className={styles.thread} data-current={thread.current || undefined}>
            <button
              type="button"
              className={`${tool.button} ${styles.pick}`}
              aria-pressed={shown === thread.id}
              {...described(t.show(thread.title))}
              onClick={() => show(shown === thread.id ? undefined : thread.id)}
            >
              <span className={styles.dot} data-thread={at % 5} aria-hidden="true" />
              {thread.title}
            </button>
            {thread.current && <span className={styles.mark}>{t.current}</span>}
            {thread.status !== "open" && <span className={styles.mark}>{t.statuses[thread.status]}</span>}
            {thread.hours && <span className="muted">{t.p80(thread.hours.p80)}</span>}
            {canEdit && (
              <Menu label={t.menu(thread.title)} button={<IconMore />}>
                {!thread.current && thread.status === "open" && estimation.status === "draft" && (
                  <MenuItem onChoose={() => switchTo.mutate(thread)}>{t.switchTo}</MenuItem>
                )}
                {thread.status === "open" && targetsOf(estimation, thread, threads).length > 0 && (
                  <MenuItem onChoose={() => onMerge(thread)}>{t.merge}</MenuItem>
                )}
                <MenuItem onChoose={() => ask("rename", thread)}>{t.rename}</MenuItem>
                {!thread.current && !thread.main && thread.status === "open" && (
                  <MenuItem onChoose={() => change.mutate({ thread, status: "closed" })}>{t.close}</MenuItem>
                )}
                {thread.status !== "open" && (
                  <MenuItem onChoose={() => change.mutate({ thread, status: "open" })}>{t.reopen}</MenuItem>
                )}
                {!thread.current && !thread.main && (
                  <MenuItem onChoose={() => ask("remove", thread)}>{t.remove}</MenuItem>
                )}
              </Menu>
            )}
          </li>
        ))}
        {shown !== undefined && (
          <li>
            <button type="button" className={`${tool.button} ${styles.pick}`} onClick={() => show(undefined)}>
              {t.all}
            </button>
          </li>
        )}
      </ul>
      {asked?.what === "rename" && (
        <NameDialog
          title={t.renameTitle}
          label={t.name}
          value={asked.thread.title}
          isNeeded
          request={change}
          onName={(title) => change.mutate({ thread: asked.thread, title }, { onSuccess: () => setAsked(null) })}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === "remove" && (
        <Confirm
          title={t.removeTitle(asked.thread.title)}
          text={t.removeText}
          action={t.removeAction}
          request={remove}
          onConfirm={() =>
            remove.mutate(asked.thread, {
              onSuccess: () => {
                setAsked(null);
                if (shown === asked.thread.id) show(undefined);
              },
            })
          }
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}
