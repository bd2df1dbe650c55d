import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Confirm } from "../../ui/confirm.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import styles from "./shares.module.css";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shared;

interface Change {
  readonly share: Share;
  readonly what: "accept" | "remove";
}

/** Shows a message. What was accepted is in the list below. */
function Done({ change: { share, what } }: { readonly change: Change }) {
  if (what === "accept") return null;
  return <Notice kind="info">{(share.status === "pending" ? t.declined : t.left)(share.estimationTitle)}</Notice>;
}

/** Invitations to response, and what was accepted. */
export function SharedTables({ shares }: { readonly shares: readonly Share[] }) {
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Share | null>(null);
  const reload = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: keys.shares }),
      queries.invalidateQueries({ queryKey: keys.estimations }),
      queries.invalidateQueries({ queryKey: keys.waitingReviews }),
    ]);
  const change = useMutation({
    mutationFn: ({ share: { id: shareId }, what }: Change) =>
      what === "accept" ? api.acceptShare({ params: { shareId } }) : api.deleteShare({ params: { shareId } }),
    onSettled: reload,
  });
  const pending = shares.filter(({ status }) => status === "pending");
  const accepted = shares.filter(({ status }) => status === "accepted");
  const isBusy = (share: Share, what: Change["what"]) =>
    change.isPending && change.variables.share.id === share.id && change.variables.what === what;
  return (
    <div className={styles.page}>
      {change.isError && leaving === null && <Notice kind="bad">{failureText(change.error)}</Notice>}
      {change.isSuccess && <Done change={change.variables} />}
      {shares.length === 0 && <Message level={2} title={t.emptyTitle} text={t.empty} />}
      {pending.length > 0 && (
        <Shares label={t.invitations} shares={pending} title={({ estimationTitle }) => estimationTitle}>
          {(share) => (
            <span className={styles.buttons}>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t.declineOf(share.estimationTitle)}
                loading={isBusy(share, "remove")}
                onClick={() => change.mutate({ share, what: "remove" })}
              >
                {t.decline}
              </Button>
              <Button
                size="compact-sm"
                aria-label={t.acceptOf(share.estimationTitle)}
                loading={isBusy(share, "accept")}
                onClick={() => change.mutate({ share, what: "accept" })}
              >
                {t.accept}
              </Button>
            </span>
          )}
        </Shares>
      )}
      {accepted.length > 0 && (
        <Shares
          label={t.accepted}
          shares={accepted}
          title={({ estimationId: id, estimationTitle }) => (
            <Link to="/estimations/$id" params={{ id }}>
              {estimationTitle}
            </Link>
          )}
        >
          {(share) => (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={t.leaveOf(share.estimationTitle)}
              onClick={() => {
                change.reset();
                setLeaving(share);
              }}
            >
              {t.leave}
            </Button>
          )}
        </Shares>
      )}
      {leaving !== null && (
        <Confirm
          title={t.leaveTitle(leaving.estimationTitle)}
          text={t.leaveText}
          action={t.leave}
          request={change}
          onConfirm={() => change.mutate({ share: leaving, what: "remove" }, { onSuccess: () => setLeaving(null) })}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

interface SharesProps {
  readonly label: string;
  readonly shares: readonly Share[];
  readonly title: (share: Share) => ReactNode;
  /** What can be done with one. */
  readonly children: (share: Share) => ReactNode;
}

const Shares = ({ label, shares, title, children }: SharesProps) => (
  <section aria-label={label} className={styles.list}>
    <h2>{label}</h2>
    <table className={table.table}>
      <TableHead
        columns={[t.columns.title, t.columns.from, t.columns.permission, t.columns.since]}
        actions={t.columns.actions}
      />
      <tbody>
        {shares.map((share) => (
          <tr key={share.id}>
            <td className={table.main}>{title(share)}</td>
            <td data-label={t.columns.from}>{share.sharerName}</td>
            <td data-label={t.columns.permission}>{shareTexts.permissions[share.permission]}</td>
            <td data-label={t.columns.since}>
              <Ago at={share.acceptedAt ?? share.sentAt} />
            </td>
            <td className={table.actions}>{children(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
