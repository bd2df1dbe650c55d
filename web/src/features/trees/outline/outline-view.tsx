import type { NodeKind, ThreePoint } from "../../../../../contract/values/tree.ts";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import { treeTexts } from "../texts.ts";
import styles from "./outline-view.module.css";

interface ShownOption {
  readonly id: string;
  readonly title?: string;
  readonly hours?: ThreePoint | null;
  readonly override?: ThreePoint | null;
  readonly selected?: boolean;
  readonly quantity?: number;
  readonly role?: string | null;
  readonly nodes: readonly ShownNode[];
}

interface ShownNode {
  readonly id: string;
  readonly title?: string;
  readonly kind?: NodeKind;
  readonly required?: boolean;
  readonly options: readonly ShownOption[];
}

const t = treeTexts.estimation;

/** Returns three points as they are written: `4–16–34`, or one number for all three. */
export function pointsText({ optimistic, likely, pessimistic }: ThreePoint): string {
  const points = optimistic === pessimistic ? [likely] : [optimistic, likely, pessimistic];
  return points.map(formatExactHours).join("–");
}

/** A tree to look at before it is made. */
export const OutlineView = ({ nodes }: { readonly nodes: readonly ShownNode[] }) => (
  <ul className={styles.list}>
    {nodes.map(({ id, title, kind = "group", required, options }) => (
      <li key={id}>
        <div className={styles.node}>
          {title} <span className="muted">({required ? `${t.kinds[kind]}, ${t.required}` : t.kinds[kind]})</span>
        </div>
        <ul className={styles.list}>
          {options.map((option) => (
            <li key={option.id}>
              <div className={styles.option}>
                <span className={option.selected || kind === "group" ? styles.counted : "muted"}>
                  {kind !== "group" && (
                    <span role="img" aria-label={option.selected ? t.chosen : t.notChosen}>
                      {option.selected ? "● " : "○ "}
                    </span>
                  )}
                  {option.title} {option.role && <span className={styles.role}>{option.role}</span>}
                </span>
                <OptionHours option={option} />
              </div>
              {option.nodes.length > 0 && <OutlineView nodes={option.nodes} />}
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ul>
);

function OptionHours({ option: { hours, override, quantity = 1 } }: { readonly option: ShownOption }) {
  const points = override ?? hours;
  return (
    <span className="number muted">
      {points && pointsText(points)}
      {quantity !== 1 && ` × ${formatExactHours(quantity)}`}
    </span>
  );
}
