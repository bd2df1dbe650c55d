import type { Operation } from "../../../../../domain/versions/shape.ts";
import styles from "./beside.module.css";
import { markedTexts as t } from "./texts.ts";
import { valueText } from "./value-text.ts";

/** What changed beside the tree: fields of the estimation, and whether its timeline and milestones did. */
export function Beside({ operations }: { readonly operations: readonly Operation[] }) {
  if (operations.length === 0) return null;
  return (
    <ul className={styles.beside} aria-label={t.beside}>
      {operations.map((operation) =>
        operation.op !== "changed" || operation.target !== "setting" ? null : operation.field === "timeline" ? (
          <li key="timeline">{t.timeline}</li>
        ) : (
          <li key={operation.field}>
            <span className="muted">{t.field(operation.field)}</span> <del>{valueText(operation.before, String)}</del>{" "}
            <span aria-hidden="true">→</span> <ins>{valueText(operation.after, String)}</ins>
          </li>
        ),
      )}
      {operations.some(({ target }) => target === "milestone") && <li>{t.milestones}</li>}
    </ul>
  );
}
