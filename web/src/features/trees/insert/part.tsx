import { templateHours } from "../../../../../domain/templates/template-hours.ts";
import { copyTree } from "../../../../../domain/tree/import-tree.ts";
import { idsOf, type NodeInput, type Tree } from "../../../../../domain/tree/shape.ts";
import { formatHours } from "../../../ui/numbers/format.ts";
import { OutlineView } from "../outline/outline-view.tsx";
import type { TreeSync } from "../sync/tree-sync.ts";
import styles from "./insert-dialog.module.css";
import { insertTexts as t } from "./texts.ts";

/** What can be added: questions with everything below them, with ids that only tell them apart. */
export type Part = readonly NodeInput[];

/** Returns the nodes with permanent ids; null where there are none to be had, without a connection. */
export async function withNewIds(part: Part, sync: TreeSync): Promise<Tree["nodes"] | null> {
  const { nodes, options } = idsOf(part as Tree["nodes"]);
  const node = await sync.ids.takeAll("node", nodes.size);
  const option = node && (await sync.ids.takeAll("option", options.size));
  if (!node || !option) return null;
  const left = { node: [...node], option: [...option] };
  return copyTree({ nodes: part }, (kind) => left[kind].shift() ?? "").nodes;
}

/** Returns the expected hours of a part, from the least to the most. */
export function hoursText(nodes: Tree["nodes"]): string {
  const { least, most } = templateHours({ nodes });
  return t.hours(formatHours(least), formatHours(most));
}

/** Each line of a part as it will be, and its hours. */
export function PartPreview({ nodes }: { readonly nodes: Part }) {
  const shown = nodes as Tree["nodes"];
  const { nodes: questions, options } = idsOf(shown);
  if (nodes.length === 0) return <p className="muted">{t.nothing}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled with the keyboard
    <section className={styles.preview} aria-label={t.preview} tabIndex={0}>
      <p className={styles.size}>
        {t.size(questions.size, options.size)} · <strong>{hoursText(shown)}</strong>
      </p>
      <OutlineView nodes={shown} />
    </section>
  );
}
