import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { useSession } from "../../api/session.ts";
import { described, hinted } from "../../ui/hinted.ts";
import { IconCopy, IconMore, IconTrash } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import { onDrafts, unsavedIds } from "../trees/sync/drafts.ts";
import styles from "./estimation-table.module.css";
import type { RowActions } from "./row-actions.tsx";
import { type Pick, pressArrow } from "./row-keys.ts";
import { StatusMark } from "./status-mark.tsx";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

interface TableProps {
  readonly rows: readonly Estimation[];
  /** Names of the owners other than the reader, by their ids. */
  readonly owners: ReadonlyMap<string, string>;
  readonly actions: RowActions;
  /** Ids of those that are selected. */
  readonly picked: ReadonlySet<string>;
  readonly onPick: Pick;
  /** The columns that do not show. */
  readonly hidden: readonly string[];
  /** Whether the last updated comes first. */
  readonly isByUpdate: boolean;
}

export function EstimationTable({ rows, owners, actions, picked, onPick, hidden, isByUpdate }: TableProps) {
  const userId = useSession()?.userId ?? "";
  const unsaved = useSyncExternalStore(onDrafts, () => unsavedIds(userId)).split(" ");
  return (
    <table className={`${table.table} ${styles.list}`} data-hidden={hidden.join(" ")} onKeyDown={pressArrow}>
      <thead>
        <tr>
          <th scope="col" className={styles.pick}>
            <span className="unseen">{t.columns.selected}</span>
          </th>
          <th scope="col">{t.columns.title}</th>
          <th scope="col" className={styles.status}>
            {t.columns.status}
          </th>
          <th scope="col" className={styles.review}>
            {t.columns.review}
          </th>
          <th scope="col" className={`number ${styles.hours}`} {...hinted(t.columns.p80Hint)}>
            {t.columns.p80}
          </th>
          <th scope="col" className={styles.owner}>
            {t.columns.owner}
          </th>
          <th scope="col" className={styles.updated} aria-sort={isByUpdate ? "descending" : undefined}>
            {t.columns.updated}
          </th>
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
            isPicked={picked.has(estimation.id)}
            onPick={onPick}
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
  readonly isPicked: boolean;
  readonly onPick: Pick;
}

function Row({ estimation, isUnsaved, owner, actions, isPicked, onPick }: RowProps) {
  const { id, title, clientName, tags, status, reviewState, reviewStale, isExample, hours, access, updatedAt } =
    estimation;
  return (
    <tr data-entry={id} data-picked={isPicked}>
      <td className={styles.pick}>
        <input
          type="checkbox"
          aria-label={t.select(title)}
          checked={isPicked}
          onChange={({ nativeEvent }) => onPick(id, (nativeEvent as MouseEvent).shiftKey)}
        />
      </td>
      <td className={styles.title}>
        <Link to="/estimations/$id" params={{ id }} className={styles.link}>
          {title}
        </Link>
        {isUnsaved && (
          <span className={styles.unsaved} {...described(t.unsavedHint)}>
            {t.unsaved}
          </span>
        )}
        {isExample && <span className={styles.example}>{t.example}</span>}
        {clientName && <span className={styles.client}>{clientName}</span>}
        {tags.map((tag) => (
          <Link key={tag} to="/estimations" search={{ tag: [tag] }} className={styles.tag} {...described(t.byTag(tag))}>
            #{tag}
          </Link>
        ))}
      </td>
      <td className={styles.status}>
        <StatusMark status={status} />
      </td>
      <td className={styles.review}>
        {reviewState === "none" ? (
          t.reviews.none
        ) : (
          <Link to="/estimations/$id/reviews" params={{ id }}>
            {t.reviews[reviewState]}
            {reviewStale && `, ${t.stale}`}
          </Link>
        )}
      </td>
      <td className={`number ${styles.hours}`}>{hours.p80 > 0 ? formatHours(hours.p80) : "–"}</td>
      <td className={styles.owner} data-own={access === "owner"}>
        {access === "owner" ? (
          t.you
        ) : (
          <>
            {owner && <Person name={owner} />} <span className={styles.level}>{t.levels[access]}</span>
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
