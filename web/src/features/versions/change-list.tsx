import { useQuery } from "@tanstack/react-query";
import type { Operation } from "../../../../domain/versions/shape.ts";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Kind } from "../trees/marked/kind.tsx";
import { changesOf, type FieldChange, kindOf, titlesOf } from "../trees/marked/marked-tree.ts";
import { markedTexts } from "../trees/marked/texts.ts";
import { valueText } from "../trees/marked/value-text.ts";
import { treesQuery } from "./queries.ts";
import { versionTexts } from "./texts.ts";
import styles from "./versions.module.css";

const t = versionTexts.changes;

/** Changes that are listed; of more only the number is said. */
const LISTED = 20;

interface ChangeListProps {
  readonly estimationId: string;
  readonly operations: readonly Operation[];
  /** Versions in which what changed can be found; the current content is looked at too. */
  readonly versionIds: readonly (string | null)[];
}

/** Changes one below another: the sign, the word and the title of each, and which field. */
export function ChangeList({ estimationId, operations, versionIds }: ChangeListProps) {
  const trees = useQuery(treesQuery(estimationId, versionIds));
  if (trees.data === undefined) return <LoadFailure query={trees} />;
  const titles = titlesOf(...trees.data);
  const more = operations.length - LISTED;
  return (
    <ul className={styles.changes} aria-label={t.list}>
      {operations.slice(0, LISTED).map((operation) => {
        const fields = changesOf(operation).map(fieldText);
        return (
          <li key={`${operation.op} ${operation.id} ${fields}`}>
            <Kind kind={kindOf(operation)} /> {titleOf(operation, titles)}
            {fields.length > 0 && <span className="muted"> · {fields.join(", ")}</span>}
          </li>
        );
      })}
      {more > 0 && <li className="muted">{t.more(more)}</li>}
    </ul>
  );
}

/** A choice says which way it went, as a field alone would be the same both ways. */
const fieldText = ({ field, after }: FieldChange) => {
  const text = markedTexts.changed(field, after);
  return typeof after === "boolean" && field !== "selected" ? `${text}: ${valueText(after, String)}` : text;
};

function titleOf({ target, id }: Operation, titles: ReadonlyMap<string, string>): string {
  if (target === "setting" || target === "milestone") return t.targets[target];
  return titles.get(id) ?? t.unknown;
}
