import styles from "./marked-grid.module.css";
import type { MarkKind } from "./marked-tree.ts";
import { markedTexts } from "./texts.ts";

/** What happened to a line, by sign, word and colour. */
export function Kind({ kind }: { readonly kind: MarkKind }) {
  const [sign, word] = markedTexts.kinds[kind];
  return (
    <span className={`${styles.kind} ${styles[`${kind}Kind`]}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
