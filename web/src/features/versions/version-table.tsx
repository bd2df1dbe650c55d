import { useNavigate } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Thread } from "../../../../contract/endpoints/threads.ts";
import type { Version } from "../../../../contract/endpoints/versions.ts";
import { IconMore } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Delta } from "../../ui/numbers/delta.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import { type GraphRow, graphOf, lanesOf } from "./graph.ts";
import { versionTexts as t } from "./texts.ts";
import styles from "./versions.module.css";

/** What a version's menu asks for. */
export type VersionAsk = "name" | "restore" | "fork" | "undo";

interface VersionTableProps {
  readonly estimation: Estimation;
  readonly versions: readonly Version[];
  readonly threads: readonly Thread[];
  /** Whether the versions are those of all threads, so that lines between them can be drawn. */
  readonly isWhole: boolean;
  readonly canEdit: boolean;
  readonly onAsk: (what: VersionAsk, version: Version) => void;
}

export function VersionTable({ estimation, versions, threads, isWhole, canEdit, onAsk }: VersionTableProps) {
  const navigate = useNavigate();
  const compare = (from: string | undefined, to: string | undefined) =>
    void navigate({ to: "/estimations/$id/compare", params: { id: estimation.id }, search: { from, to } });
  const graph = isWhole ? graphOf(versions) : [];
  const lanes = lanesOf(graph);
  const threadOf = new Map(threads.map((thread, at) => [thread.id, { thread, at }]));
  const head = threads.find(({ current }) => current)?.headVersionId;
  return (
    <table className={table.table} aria-label={t.list}>
      <thead>
        <tr>
          {isWhole && (
            <th scope="col">
              <span className="unseen">{t.columns.graph}</span>
            </th>
          )}
          <th scope="col">{t.columns.version}</th>
          {threads.length > 1 && <th scope="col">{t.columns.thread}</th>}
          <th scope="col" className="number">
            {t.columns.p80}
          </th>
          <th scope="col" className="number">
            {t.columns.change}
          </th>
          <th scope="col">{t.columns.author}</th>
          <th scope="col">{t.columns.when}</th>
          <th scope="col">
            <span className="unseen">{t.columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version, at) => {
          const { id, number, label, cause, author, hours, parents, parentP80, createdAt } = version;
          const found = threadOf.get(version.threadId);
          const row = graph[at];
          // Content that is locked stays as it is; other threads than the current one can change all the same.
          const isUndoable =
            cause === "merge" &&
            parents.length === 2 &&
            found?.thread.headVersionId === id &&
            (!found.thread.current || estimation.status === "draft");
          return (
            <tr key={id}>
              {row && (
                <td className={styles.graph} style={{ "--graph": `${lanes * LANE}px` } as CSSProperties}>
                  <Graph row={row} lanes={lanes} color={found?.at ?? 0} isHead={id === head} />
                </td>
              )}
              <td className={table.main}>
                {label ?? t.numbered(number)}
                <span className={styles.cause}>
                  {label !== null && `${t.numbered(number)} · `}
                  {t.causes[cause]}
                  {id === head && ` · ${t.latest}`}
                </span>
              </td>
              {threads.length > 1 && (
                <td data-label={t.columns.thread}>{found ? found.thread.title : t.unknownThread}</td>
              )}
              <td className="number" data-label={t.columns.p80}>
                {formatHours(hours.p80)}
              </td>
              <td className="number" data-label={t.columns.change}>
                {parentP80 !== null && <Delta hours={hours.p80 - parentP80} />}
              </td>
              <td data-label={t.columns.author}>
                <Person name={author.name} />
              </td>
              <td className={table.short} data-label={t.columns.when}>
                <Ago at={createdAt} />
              </td>
              <td className={table.actions}>
                <Menu label={t.menu(number)} button={<IconMore />}>
                  <MenuItem onChoose={() => compare(id, undefined)}>{t.compareNow}</MenuItem>
                  {parents[0] !== undefined && (
                    <MenuItem onChoose={() => compare(parents[0], id)}>{t.compareBefore}</MenuItem>
                  )}
                  {canEdit && (
                    <>
                      <MenuItem onChoose={() => onAsk("name", version)}>{t.rename}</MenuItem>
                      {estimation.status === "draft" && (
                        <MenuItem onChoose={() => onAsk("restore", version)}>{t.restore}…</MenuItem>
                      )}
                      {isUndoable && <MenuItem onChoose={() => onAsk("undo", version)}>{t.merge.undoThis}</MenuItem>}
                      <MenuItem onChoose={() => onAsk("fork", version)}>{t.threads.begin}</MenuItem>
                    </>
                  )}
                </Menu>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const LANE = 14;
const middle = (lane: number) => lane * LANE + LANE / 2;

interface GraphProps {
  readonly row: GraphRow;
  readonly lanes: number;
  /** The number of its thread, which gives the colour. */
  readonly color: number;
  readonly isHead: boolean;
}

/** The lines of one row, as high as the row. */
const Graph = ({ row: { lane, above, below, passing }, lanes, color, isHead }: GraphProps) => (
  <svg className={styles.lines} width={lanes * LANE} height="100%" aria-hidden="true">
    {passing.map((at) => (
      <line key={`p${at}`} x1={middle(at)} y1="0" x2={middle(at)} y2="100%" />
    ))}
    {above.map((at) => (
      <line key={`a${at}`} x1={middle(at)} y1="0" x2={middle(lane)} y2="50%" />
    ))}
    {below.map((at) => (
      <line key={`b${at}`} x1={middle(lane)} y1="50%" x2={middle(at)} y2="100%" />
    ))}
    <circle data-thread={color % 5} data-head={isHead || undefined} cx={middle(lane)} cy="50%" r={4} />
  </svg>
);
