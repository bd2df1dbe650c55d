import { Button } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Conflict, Resolution, Side } from "../../../../../domain/merge/shape.ts";
import { api } from "../../../api/client.ts";
import { keys } from "../../../api/keys.ts";
import { currentSession } from "../../../api/session.ts";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import { panelTexts } from "../panels/panel-texts.ts";
import styles from "./dialog.module.css";

const t = panelTexts.conflicts;

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly estimationId: string;
  /** Others changed it after this, by the server's clock; null where that is not known. */
  readonly since: string | null;
  readonly onResolve: (resolutions: readonly Resolution[]) => void;
}

/** Shows what both changed, and lets the reader choose. It stays until that is done: nothing is saved before. */
export function Conflicts({ conflicts, estimationId, since, onResolve }: ConflictsProps) {
  const others = useQuery({ ...editorsQuery(estimationId, since ?? ""), enabled: since !== null }).data || t.theirs;
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = (id: string): Side => chosen[id] ?? "from";
  return (
    <Dialog title={t.title} onClose={() => {}} isLocked>
      <p className="muted">{t.text}</p>
      {conflicts.map(({ id, title, field, kind, from, into }) => (
        <fieldset key={id} className={styles.conflict}>
          <legend>{title ?? t.wholeTree}</legend>
          <span className="muted">{t.kind(kind, field)}</span>
          {(["from", "into"] as const).map((side) => (
            <label key={side} className={styles.side}>
              <input
                type="radio"
                name={id}
                checked={sideOf(id) === side}
                onChange={() => setChosen({ ...chosen, [id]: side })}
              />
              <span>
                {side === "from" ? t.mine : others}: {valueText((side === "from" ? from : into).value)}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <DialogEnd>
        <Button onClick={() => onResolve(conflicts.map(({ id }) => ({ id, side: sideOf(id) })))}>{t.action}</Button>
      </DialogEnd>
    </Dialog>
  );
}

/** The names of the others who changed the content after a time; empty where they are not known. */
const editorsQuery = (id: string, since: string) =>
  queryOptions({
    queryKey: keys.editorsSince(id, since),
    retry: false,
    queryFn: async () => {
      const { activity } = (await api.listActivity({ params: { id } })).data;
      const userId = currentSession()?.userId;
      // What can change the hours changes the content.
      const made = activity.filter(
        ({ endedAt, hoursDelta, person }) => endedAt > since && hoursDelta !== null && person.id !== userId,
      );
      return [...new Set(made.map(({ person }) => person.name))].join(", ");
    },
  });

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
