import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { useSession } from "../../api/session.ts";
import { IconCopy, IconMore, IconTrash } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { onDrafts, unsavedIds } from "../trees/saving/drafts.ts";
import styles from "./estimation-table.module.css";
import type { RowActions } from "./row-actions.tsx";
import { StatusMark } from "./status-mark.tsx";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

interface TableProps {
  readonly rows: readonly Estimation[];
  /** Names of the owners other than the reader, by their ids. */
  readonly owners: ReadonlyMap<string, string>;
  readonly actions: RowActions;
}

export function EstimationTable({ rows, owners, actions }: TableProps) {
  const userId = useSession()?.userId ?? "";
  const unsaved = useSyncExternalStore(onDrafts, () => unsavedIds(userId)).split(" ");
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.columns.title}</th>
          <th scope="col">{t.columns.status}</th>
          <th scope="col" className={styles.review}>
            {t.columns.review}
          </th>
          <th scope="col" className="number" title={t.columns.p80Hint}>
            {t.columns.p80}
          </th>
          <th scope="col" className={styles.owner}>
            {t.columns.owner}
          </th>
          <th scope="col">{t.columns.updated}</th>
          <th scope="col" className={styles.actions}>
            <span className="unseen">{t.columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((estimation) => (
          <Row
            key={estimation.id}
            estimation={estimation}
            isUnsaved={unsaved.includes(estimation.id)}
            owner={owners.get(estimation.ownerId)}
            actions={actions}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly estimation: Estimation;
  /** Whether edits of it wait in this browser. */
  readonly isUnsaved: boolean;
  /** Its name, if it is not the reader. */
  readonly owner: string | undefined;
  readonly actions: RowActions;
}

function Row({ estimation, isUnsaved, owner, actions }: RowProps) {
  const { id, title, clientName, tags, status, reviewState, reviewStale, hours, access, updatedAt } = estimation;
  return (
    <tr>
      <td className={styles.title}>
        <Link to="/estimations/$id" params={{ id }} className={styles.link}>
          {title}
        </Link>
        {isUnsaved && (
          <span className={styles.unsaved} title={t.unsavedHint}>
            {t.unsaved}
          </span>
        )}
        {clientName && <span className={styles.client}>{clientName}</span>}
        {tags.map((tag) => (
          <Link key={tag} to="/estimations" search={{ tag: [tag] }} className={styles.tag} title={t.byTag(tag)}>
            #{tag}
          </Link>
        ))}
      </td>
      <td className={styles.status}>
        <StatusMark status={status} />
      </td>
      <td className={styles.review}>
        {t.reviews[reviewState]}
        {reviewStale && <span className="muted">, {t.stale}</span>}
      </td>
      <td className={`number ${styles.hours}`}>{hours.p80 > 0 ? formatHours(hours.p80) : "–"}</td>
      <td className={styles.owner} data-own={access === "owner"}>
        {access === "owner" ? (
          t.you
        ) : (
          <>
            {owner} <span className={styles.level}>{t.levels[access]}</span>
          </>
        )}
      </td>
      <td className={styles.updated}>
        <Ago at={updatedAt} />
      </td>
      <td className={styles.actions}>
        <Menu label={t.menu(title)} button={<IconMore />}>
          <MenuItem icon={<IconCopy />} onChoose={() => actions.duplicate(estimation)}>
            {t.duplicate}
          </MenuItem>
          {access === "owner" && (
            <MenuItem icon={<IconTrash />} onChoose={() => actions.remove(estimation)}>
              {t.remove}
            </MenuItem>
          )}
        </Menu>
      </td>
    </tr>
  );
}
