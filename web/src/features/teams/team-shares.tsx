import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Person } from "../../ui/person.tsx";
import styles from "../shares/shares.module.css";
import { teamSharesQuery } from "./queries.ts";
import { teamTexts } from "./texts.ts";

const t = teamTexts.team;
const { columns } = teamTexts;

interface TeamSharesProps {
  readonly teamId: string;
  readonly isAdmin: boolean;
}

/** The estimations that are shared with a team. Its admins can end that. */
export function TeamShares({ teamId, isAdmin }: TeamSharesProps) {
  const queries = useQueryClient();
  const list = useInfiniteQuery(teamSharesQuery(teamId));
  const [ending, setEnding] = useState<Share | null>(null);
  const end = useMutation({
    mutationFn: ({ id }: Share) => api.deleteShare({ params: { shareId: id } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: teamSharesQuery(teamId).queryKey }),
        queries.invalidateQueries({ queryKey: keys.estimations }),
      ]),
  });
  const shares = list.data?.pages.flatMap((page) => page.shares) ?? [];
  return (
    <section aria-label={t.shares} className={styles.list}>
      <h2>{t.shares}</h2>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={2} />}
      {list.isSuccess && shares.length === 0 && (
        <p className={styles.none}>
          {t.noShares} {t.noSharesHint}
        </p>
      )}
      {shares.length > 0 && (
        <table className={table.table}>
          <TableHead
            columns={[columns.estimation, columns.permission, columns.from]}
            {...(isAdmin ? { actions: columns.actions } : {})}
          />
          <tbody>
            {shares.map((share) => (
              <tr key={share.id}>
                <td className={table.main}>
                  <Link to="/estimations/$id" params={{ id: share.estimationId }}>
                    {share.estimationTitle}
                  </Link>
                </td>
                <td data-label={columns.permission}>{teamTexts.permissions[share.permission]}</td>
                <td data-label={columns.from}>
                  <Person name={share.sharerName} />
                </td>
                {isAdmin && (
                  <td className={table.actions}>
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="gray"
                      aria-label={t.endOf(share.estimationTitle)}
                      onClick={() => {
                        end.reset();
                        setEnding(share);
                      }}
                    >
                      {t.end}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.hasNextPage && <MoreRows counted={t.sharesCounted(shares.length)} list={list} />}
      {ending !== null && (
        <Confirm
          title={t.endTitle(ending.estimationTitle)}
          text={t.endText}
          action={t.end}
          request={end}
          onConfirm={() => end.mutate(ending, { onSuccess: () => setEnding(null) })}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}
