import { useEffect, useRef, useState } from "react";
import type { Conflict, Resolution, Side } from "../../../../../domain/merge/shape.ts";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import styles from "../panel/dialog.module.css";
import { treeTexts } from "../texts.ts";

const t = treeTexts.editor;

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly onResolve: (resolutions: readonly Resolution[]) => void;
}

/** Shows what both changed, and lets the reader choose. It stays until that is done: nothing is saved before. */
export function Conflicts({ conflicts, onResolve }: ConflictsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  useEffect(() => dialog.current?.showModal(), []);
  const sideOf = (id: string): Side => chosen[id] ?? "from";
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="conflicts-title"
      onCancel={(event) => event.preventDefault()}
      // Browsers let nobody prevent a second Escape.
      onClose={({ currentTarget }) => currentTarget.isConnected && !currentTarget.open && currentTarget.showModal()}
    >
      <h2 id="conflicts-title">{t.conflictsTitle}</h2>
      <p className="muted">{t.conflictsText}</p>
      {conflicts.map(({ id, title, field, kind, from, into }) => (
        <fieldset key={id} className={styles.conflict}>
          <legend>{title ?? t.wholeTree}</legend>
          <span className="muted">{t.conflictKind(kind, field)}</span>
          {(["from", "into"] as const).map((side) => (
            <label key={side} className={styles.side}>
              <input
                type="radio"
                name={id}
                checked={sideOf(id) === side}
                onChange={() => setChosen({ ...chosen, [id]: side })}
              />
              <span>
                {side === "from" ? t.mine : t.theirs}: {valueText((side === "from" ? from : into).value)}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className={styles.end}>
        <button
          type="button"
          className={styles.button}
          onClick={() => onResolve(conflicts.map(({ id }) => ({ id, side: sideOf(id) })))}
        >
          {t.conflictsAction}
        </button>
      </div>
    </dialog>
  );
}

/** Returns a value as a reader knows it. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return t.nothing;
  if (typeof value === "object" && "likely" in value) {
    const { optimistic, likely, pessimistic } = value as { optimistic: number; likely: number; pessimistic: number };
    return [optimistic, likely, pessimistic].map(formatExactHours).join("–");
  }
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return typeof value === "object" ? t.changed : String(value);
}
