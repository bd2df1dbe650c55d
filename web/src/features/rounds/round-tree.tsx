import { useMemo } from "react";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { type Line, MarkedGrid } from "../trees/marked/marked-grid.tsx";
import { useMarked } from "../trees/marked/use-marked.ts";
import { markRound } from "./marks.ts";
import { roundTexts as t } from "./texts.ts";
import type { Answer } from "./use-answers.ts";

/** What is not estimated is left out already. */
const EVERYTHING = [false, () => {}] as const;

interface TreeProps {
  readonly tree: Tree;
  readonly optionIds: readonly string[];
  readonly said: ReadonlyMap<string, Answer>;
  /** Options for which something is typed and not saved. */
  readonly typed: ReadonlySet<string>;
  readonly line: Line | null;
  readonly setLine: (line: Line) => void;
  /** Called with a line on which Enter is pressed. */
  readonly onEnter: (id: string) => void;
}

/** The tree of what is estimated, with how far the reader has come. */
export function RoundTree({ tree, optionIds, said, typed, line, setLine, onEnter }: TreeProps) {
  const marked = useMemo(() => markRound(tree, optionIds, said, typed), [tree, optionIds, said, typed]);
  const { rows, setOpen } = useMarked(marked, EVERYTHING);
  return (
    <MarkedGrid
      label={t.answer.tree}
      rows={rows}
      marks={marked.marks}
      before={null}
      after={null}
      line={line}
      setLine={setLine}
      setOpen={setOpen}
      viewed={null}
      talks={null}
      onTalk={onEnter}
    />
  );
}
