import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Export, ExportItem } from "../../../../contract/endpoints/exports.ts";
import { keys } from "../../api/keys.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { tasksQuery } from "../tasks/queries.ts";
import styles from "./exports.module.css";
import { itemsQuery } from "./queries.ts";
import { exportTexts as t } from "./texts.ts";

/** The outcome of each task of a run. */
export function ExportItems({ run, label = t.items }: { readonly run: Export; readonly label?: string }) {
  const [isOnlyFailed, setOnlyFailed] = useState(false);
  const list = useInfiniteQuery(itemsQuery(run, isOnlyFailed ? "failed" : undefined));
  useReloading(run);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const titles = useTitles(run.estimationId, items);
  return (
    <section aria-label={label}>
      {run.progress.failed > 0 && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isOnlyFailed}
            onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
          />
          {t.onlyFailed}
        </label>
      )}
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={4} />}
      {items.length > 0 && (
        <table className={table.table}>
          <TableHead columns={[t.columns.task, t.columns.outcome, t.columns.why]} />
          <tbody>
            {items.map((item) => (
              <tr key={item.taskId}>
                <td className={table.main}>{titles.get(item.taskId) ?? t.unknownTask}</td>
                <td data-label={t.columns.outcome}>
                  <span className={item.outcome === "failed" ? styles.bad : undefined}>{t.outcomes[item.outcome]}</span>{" "}
                  {item.url !== null && /^https?:\/\//.test(item.url) && (
                    <a
                      href={item.url}
                      target="_blank"
                      rel="noopener noreferrer"
                      className={styles.issue}
                      aria-label={t.issueOf(titles.get(item.taskId) ?? t.unknownTask)}
                    >
                      {t.issue}
                    </a>
                  )}
                </td>
                <td data-label={t.columns.why}>
                  <Reasons item={item} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {items.length > 0 && <MoreRows counted={t.counted.tasks(items.length)} list={list} />}
    </section>
  );
}

function Reasons({ item: { reason, keptFields, warnings } }: { readonly item: ExportItem }) {
  const lines = [
    ...(reason === null ? [] : [reason]),
    ...(keptFields.length === 0 ? [] : [t.keptFields(keptFields)]),
    ...warnings.map(({ message }) => message),
  ];
  return lines.map((line) => <div key={line}>{line}</div>);
}

/** Loads the items again when the run has progressed. */
function useReloading({ id, progress, status }: Export): void {
  const queries = useQueryClient();
  const state = JSON.stringify([id, progress, status]);
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current === state) return;
    shown.current = state;
    void queries.invalidateQueries({ queryKey: keys.exportItems(id) });
  }, [queries, id, state]);
}

/** Returns the titles of tasks by id; loads more of the tasks while one of `items` is not among them. */
export function useTitles(estimationId: string, items: readonly ExportItem[]): ReadonlyMap<string, string> {
  const tasks = useInfiniteQuery(tasksQuery(estimationId, undefined));
  const titles = new Map(tasks.data?.pages.flatMap((page) => page.tasks.map(({ id, title }) => [id, title] as const)));
  const isMissing = items.some(({ taskId }) => !titles.has(taskId));
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = tasks;
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return titles;
}
