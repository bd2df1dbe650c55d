import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { api } from "../../api/client.ts";
import { facts } from "../../api/facts.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import type { First } from "../../app/first.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import tableStyles from "./estimation-table.module.css";
import styles from "./list-page.module.css";
import { trashQuery } from "./queries.ts";
import { estimationTexts } from "./texts.ts";
import { trashTexts } from "./trash-texts.ts";

const t = trashTexts;

export const first: First = () => [trashQuery];

export function TrashPage() {
  useTitle(t.title);
  const queries = useQueryClient();
  const trash = useInfiniteQuery(trashQuery);
  const restore = useMutation({
    mutationFn: ({ id }: Estimation) => api.restoreDeletedEstimation({ params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.estimations }),
  });
  const rows = trash.data?.pages.flatMap(({ estimations }) => estimations) ?? [];
  const failed = restore.error ?? trash.error;
  return (
    <>
      <p className={styles.crumb}>
        <Link to="/estimations">{estimationTexts.estimations.title}</Link>
      </p>
      <div className={styles.head}>
        <h1>{t.title}</h1>
      </div>
      <p className="muted">{t.text(facts.trashDays)}</p>
      <div className={styles.notices}>
        {failed && <Notice kind="bad">{failureText(failed)}</Notice>}
        {restore.isSuccess && (
          <Notice
            kind="info"
            action={
              <Link to="/estimations/$id" params={{ id: restore.variables.id }}>
                {t.open}
              </Link>
            }
          >
            {t.restored(restore.variables.title)}
          </Notice>
        )}
      </div>
      {trash.isPending && <SkeletonRows rows={4} />}
      {trash.isSuccess && rows.length === 0 && <p className={styles.none}>{t.empty}</p>}
      {rows.length > 0 && (
        <table className={`${table.table} ${tableStyles.list}`}>
          <thead>
            <tr>
              <th scope="col">{estimationTexts.estimations.columns.title}</th>
              <th scope="col" className="number">
                {estimationTexts.estimations.columns.p80}
              </th>
              <th scope="col">{t.deleted}</th>
              <th scope="col">
                <span className="unseen">{estimationTexts.estimations.columns.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((estimation) => (
              <tr key={estimation.id}>
                <td className={tableStyles.title}>{estimation.title}</td>
                <td className={`number ${tableStyles.hours}`}>{formatHours(estimation.hours.p80)}</td>
                <td className={tableStyles.updated}>
                  <Ago at={estimation.deletedAt ?? estimation.updatedAt} />
                </td>
                <td className={tableStyles.actions}>
                  <Button
                    variant="default"
                    size="compact-sm"
                    loading={restore.isPending && restore.variables.id === estimation.id}
                    onClick={() => restore.mutate(estimation)}
                  >
                    {t.restore}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {trash.hasNextPage && (
        <div className={styles.foot}>
          <Button variant="default" loading={trash.isFetchingNextPage} onClick={() => void trash.fetchNextPage()}>
            {uiTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}
