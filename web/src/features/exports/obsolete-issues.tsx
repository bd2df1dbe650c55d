import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Export } from "../../../../contract/endpoints/exports.ts";
import { api } from "../../api/client.ts";
import { described } from "../../ui/hinted.ts";
import { useTitles } from "./export-items.tsx";
import styles from "./exports.module.css";
import { itemsQuery } from "./queries.ts";
import type { Started } from "./run-actions.tsx";
import { exportTexts as t } from "./texts.ts";

/** Issues that are named one by one. */
const SHOWN = 10;

interface ObsoleteProps {
  readonly run: Export;
  readonly isPending: boolean;
  readonly onAct: (start: () => Promise<Started>) => void;
}

/** The issues that are open although their tasks are obsolete, and a button that closes them. Nothing without such issues. */
export function ObsoleteIssues({ run, isPending, onAct }: ObsoleteProps) {
  const { id: exportId, estimationId: id } = run;
  const list = useInfiniteQuery(itemsQuery(run, "obsolete"));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const titles = useTitles(id, items);
  if (items.length === 0) return null;
  const close = () => api.closeObsolete({ params: { id, exportId }, body: {} });
  return (
    <section aria-label={t.obsoleteTasks} className={styles.obsolete}>
      <p>{t.obsolete(items.length, list.hasNextPage)}</p>
      <ul>
        {items.slice(0, SHOWN).map(({ taskId, url }) => (
          <li key={taskId}>
            {url !== null && /^https?:\/\//.test(url) ? (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {titles.get(taskId) ?? t.unknownTask}
              </a>
            ) : (
              (titles.get(taskId) ?? t.unknownTask)
            )}
          </li>
        ))}
      </ul>
      <Button
        size="compact-sm"
        variant="default"
        {...described(t.closeHint)}
        disabled={isPending}
        onClick={() => onAct(close)}
      >
        {t.close(items.length, list.hasNextPage)}
      </Button>
    </section>
  );
}
