import { UnstyledButton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Export } from "../../../../contract/endpoints/exports.ts";
import { limits } from "../../../../contract/limits.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatMoment } from "../../ui/numbers/format.ts";
import { ExportItems } from "./export-items.tsx";
import { countsOf, destinationOf } from "./export-run.tsx";
import styles from "./exports.module.css";
import { historyQuery } from "./queries.ts";
import { exportTexts as t } from "./texts.ts";

const { historyColumns: columns } = t;

/** The exports before the newest one, each with its result and, on request, the outcome of each task. */
export function ExportHistory({ newest: { estimationId, id } }: { readonly newest: Export }) {
  const list = useInfiniteQuery(historyQuery(estimationId));
  const [openId, setOpenId] = useState<string | null>(null);
  const runs = list.data?.pages.flatMap((page) => page.exports).filter((run) => run.id !== id) ?? [];
  const open = runs.find((run) => run.id === openId);
  return (
    <section aria-label={t.history} className={styles.run}>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={3} />}
      {list.isSuccess && runs.length === 0 && <p className="muted">{t.noHistory}</p>}
      {runs.length > 0 && (
        <table className={table.table} aria-label={t.history}>
          <TableHead columns={[columns.run, columns.status, columns.result, columns.when]} actions={columns.tasks} />
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td className={table.main}>{titleOf(run)}</td>
                <td data-label={columns.status}>{t.statuses[run.status]}</td>
                <td data-label={columns.result}>
                  {countsOf(run)
                    .map(({ text }) => text)
                    .join(" · ") || run.problem?.message}
                </td>
                <td className={table.short} data-label={columns.when}>
                  <Ago at={run.endedAt ?? run.createdAt} />
                </td>
                <td className={table.actions}>
                  <UnstyledButton
                    className={styles.toggle}
                    aria-expanded={run.id === openId}
                    aria-label={tasksOf(run)}
                    onClick={() => setOpenId(run.id === openId ? null : run.id)}
                  >
                    {columns.tasks}
                  </UnstyledButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {runs.length > 0 && <MoreRows counted={t.kept(limits.exportsPerEstimation)} list={list} />}
      {open && <ExportItems key={open.id} run={open} label={tasksOf(open)} />}
    </section>
  );
}

const titleOf = (run: Export): string => t.runTitle(run.kind, destinationOf(run), run.dryRun);
const tasksOf = (run: Export): string => t.tasksOf(titleOf(run), formatMoment(run.createdAt));
