import { memo, useMemo } from "react";
import type { RollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { pointsOf, type Tree } from "../../../../domain/tree/shape.ts";
import { formatExactHours, formatHours } from "../../ui/numbers/format.ts";
import { expectedOf, highestOf, POINTS, type Row, rowsOf } from "../trees/outline/rows.ts";
import { isOpenQuestion } from "../trees/panels/headline.ts";
import { treeTexts } from "../trees/texts.ts";
import styles from "./print.module.css";
import { PrintedTable } from "./printed-table.tsx";
import { printTexts as t } from "./texts.ts";

const { columns, counts, countsNot, open, noHours } = treeTexts.editor;
const { kinds, required } = treeTexts.estimation;

/** Nothing is closed on paper. */
const NONE_CLOSED: ReadonlySet<string> = new Set();
/** By which each level is indented, in pixels, and the levels after which there would be no room left. */
const INDENT = 18;
const MOST_LEVELS = 12;
/** Longer descriptions may go on on the next page, with the line that they belong to. */
const LONG_TEXT = 600;

interface TreeProps extends Pick<RollUp, "byNode"> {
  readonly tree: Tree;
  /** Whether options that do not count are printed, with what is below them. */
  readonly hasDormant: boolean;
  readonly hasTexts: boolean;
}

/** The whole tree as a table, whose heads stand on every page. */
export const PrintedTree = memo(({ tree, byNode, hasDormant, hasTexts }: TreeProps) => {
  const all = useMemo(() => rowsOf(tree, NONE_CLOSED), [tree]);
  const rows = useMemo(() => (hasDormant ? all : all.filter(({ isActive }) => isActive)), [all, hasDormant]);
  const scale = useMemo(() => highestOf(tree), [tree]);
  const expected = useMemo(() => new Map(byNode.map(({ nodeId, expected }) => [nodeId, expected])), [byNode]);
  const hasRoles = rows.some(({ option }) => option?.role);
  if (rows.length === 0) return null;
  return (
    <PrintedTable
      title={t.parts.tree}
      columns={[columns.title, ...(hasRoles ? [t.role] : [])]}
      figures={[...POINTS.map((point) => columns[point]), null, columns.expected]}
    >
      {rows.map((row) => (
        <Line
          key={row.id}
          row={row}
          scale={scale}
          nodeHours={expected.get(row.id) ?? 0}
          hasRoles={hasRoles}
          hasTexts={hasTexts}
        />
      ))}
    </PrintedTable>
  );
});

interface LineProps {
  readonly row: Row;
  /** The largest high hours of the tree, for the range. */
  readonly scale: number;
  /** Expected hours of a question with everything that counts below it. */
  readonly nodeHours: number;
  readonly hasRoles: boolean;
  readonly hasTexts: boolean;
}

function Line({ row, scale, nodeHours, hasRoles, hasTexts }: LineProps) {
  const { node, option, isActive, hasChildren, weight } = row;
  const points = option && pointsOf(option);
  const { title, description } = option ?? node;
  const hours = option === null ? nodeHours : expectedOf(row);
  const isChosen = option !== null && (option.selected || node.kind === "group");
  const classes = [
    option === null ? styles.node : "",
    isActive ? "" : styles.dormant,
    // What follows belongs to it: it is a heading.
    hasChildren ? styles.above : "",
    hasTexts && description.length > LONG_TEXT ? styles.long : "",
  ];
  return (
    <tr className={classes.join(" ").trim() || undefined}>
      <th scope="row" style={{ paddingLeft: Math.min(row.depth, MOST_LEVELS) * INDENT }}>
        <div className={styles.title}>
          {option && (
            <span
              role="img"
              aria-label={isActive ? counts : countsNot}
              className={`${styles.mark} ${styles[node.kind]} ${isChosen ? styles.chosen : ""}`}
            />
          )}
          <span>
            {title}{" "}
            {option === null && (
              <small>
                {kinds[node.kind]}
                {node.required && `, ${required}`}
              </small>
            )}
            {option !== null && option.quantity !== 1 && (
              <small>{t.quantity(formatExactHours(option.quantity), option.unit ?? "")}</small>
            )}
            {hasTexts && description !== "" && <span className={styles.description}>{description}</span>}
          </span>
        </div>
      </th>
      {hasRoles && <td className={styles.role}>{option?.role}</td>}
      {POINTS.map((point) => (
        <td key={point} className="number">
          {points && formatExactHours(points[point])}
        </td>
      ))}
      <td className={styles.range}>
        {points && points.pessimistic > 0 && (
          <span
            className={styles.bar}
            style={{
              marginLeft: `${(100 * points.optimistic * weight) / scale}%`,
              width: `max(2px, ${(100 * (points.pessimistic - points.optimistic) * weight) / scale}%)`,
            }}
          />
        )}
      </td>
      <td className="number">
        {option === null && nodeHours === 0 ? (
          <small>{isActive && (isOpenQuestion(node) ? open : noHours)}</small>
        ) : (
          hours !== null && formatHours(hours)
        )}
      </td>
    </tr>
  );
}
