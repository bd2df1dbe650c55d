import { NativeSelect } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { failureText } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { IconMore } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import { nameOf, PERMISSIONS } from "./invite-form.tsx";
import { acceptPath, InvitedNotice } from "./invited.tsx";
import styles from "./shares.module.css";
import { shareTexts } from "./texts.ts";
import { type ShareChanges, useShareChanges } from "./use-share-changes.ts";

const t = shareTexts.shares;

interface TableProps {
  readonly estimation: Estimation;
  readonly shares: readonly Share[];
  /** Called for an invitation whose address is to be corrected. */
  readonly onCorrect: (share: Share) => void;
}

/** The question before it is done. */
interface Asked {
  readonly what: "remove" | "transfer";
  readonly share: Share;
}

export function ShareTable({ estimation, shares, onCorrect }: TableProps) {
  const session = useSession();
  const changes = useShareChanges(estimation);
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (next: Asked) => {
    changes.remove.reset();
    changes.transfer.reset();
    setAsked(next);
  };
  const failed = changes.permit.error ?? changes.resend.error ?? (asked === null ? changes.remove.error : null);
  return (
    <section aria-label={t.list} className={styles.list}>
      <h2>{t.list}</h2>
      {failed !== null && <Notice kind="bad">{failureText(failed)}</Notice>}
      {changes.said?.sent && (
        <InvitedNotice
          email={changes.said.sent.email ?? ""}
          path={acceptPath(changes.said.sent.id)}
          sent={changes.said.text}
        />
      )}
      {changes.said && !changes.said.sent && <Notice kind="info">{changes.said.text}</Notice>}
      <table className={table.table}>
        <TableHead columns={[t.columns.person, t.columns.permission, t.columns.status]} actions={t.columns.actions} />
        <tbody>
          <tr>
            <td className={table.main}>
              <Person name={session?.name ?? ""} /> <span className="muted">({t.you})</span>
            </td>
            <td data-label={t.columns.permission}>{t.owner}</td>
            <td />
            <td />
          </tr>
          {shares.map((share) => (
            <Row
              key={share.id}
              share={share}
              changes={changes}
              onAsk={(what) => ask({ what, share })}
              onCorrect={onCorrect}
            />
          ))}
        </tbody>
      </table>
      {shares.length === 0 && <p className={styles.none}>{t.empty}</p>}
      {asked?.what === "remove" && (
        <Confirm
          title={t.removeTitle(nameOf(asked.share))}
          text={asked.share.team === null ? t.removeText : t.removeTeamText}
          action={t.remove}
          request={changes.remove}
          onConfirm={() => changes.remove.mutate(asked.share, { onSuccess: () => setAsked(null) })}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === "transfer" && (
        <Confirm
          title={t.transferTitle(nameOf(asked.share))}
          text={t.transferText(estimation.title, nameOf(asked.share))}
          action={t.transfer}
          request={changes.transfer}
          onConfirm={() => changes.transfer.mutate(asked.share)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

interface RowProps {
  readonly share: Share;
  readonly changes: ShareChanges;
  readonly onAsk: (what: Asked["what"]) => void;
  readonly onCorrect: (share: Share) => void;
}

function Row({ share, changes: { permit, resend, remove }, onAsk, onCorrect }: RowProps) {
  const { email, userName, team, permission, status, undeliveredAt } = share;
  const name = nameOf(share);
  // Shows the value being saved; if saving fails, shows the stored value again, with the reason.
  const asked = permit.isPending && permit.variables.share.id === share.id ? permit.variables.permission : permission;
  return (
    <tr>
      <td className={table.main}>
        {team === null ? (
          <Person name={name} />
        ) : (
          <>
            <Link to="/teams/$id" params={{ id: team.id }}>
              {name}
            </Link>{" "}
            <span className="muted">({t.team})</span>
          </>
        )}
        {userName !== null && <span className={styles.email}>{email}</span>}
      </td>
      <td>
        <NativeSelect
          className={styles.permission}
          aria-label={t.permissionOf(name)}
          data={PERMISSIONS}
          value={asked}
          onChange={({ currentTarget: { value } }) => {
            const next = sharePermissions.find((known) => known === value);
            if (next !== undefined) permit.mutate({ share, permission: next });
          }}
        />
      </td>
      <td className={table.short} data-label={t.columns.status}>
        <Status share={share} />
      </td>
      <td className={table.actions}>
        <Menu label={t.menu(name)} button={<IconMore />}>
          {status === "accepted" ? (
            <>
              {permission === "edit" && team === null && (
                <MenuItem onChoose={() => onAsk("transfer")}>{t.transfer}…</MenuItem>
              )}
              <MenuItem onChoose={() => onAsk("remove")}>{t.remove}…</MenuItem>
            </>
          ) : (
            <>
              {undeliveredAt !== null && <MenuItem onChoose={() => onCorrect(share)}>{t.correct}…</MenuItem>}
              <MenuItem onChoose={() => resend.mutate(share)}>{t.resend}</MenuItem>
              <MenuItem onChoose={() => remove.mutate(share)}>{t.revoke}</MenuItem>
            </>
          )}
        </Menu>
      </td>
    </tr>
  );
}

function Status({ share: { status, team, acceptedAt, sentAt, expiresAt, undeliveredAt } }: { readonly share: Share }) {
  if (status === "expired") return t.expired;
  if (undeliveredAt !== null)
    return (
      <strong className={styles.undelivered}>
        {t.undelivered} <Ago at={undeliveredAt} />
      </strong>
    );
  return (
    <>
      {team !== null ? t.shared : status === "accepted" ? t.accepted : t.invited} <Ago at={acceptedAt ?? sentAt} />
      {expiresAt !== null && `, ${t.until} ${formatDay(expiresAt)}`}
    </>
  );
}
