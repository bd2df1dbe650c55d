import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { addPart } from "../../../../../domain/tree/edit/add-part.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import { uiTexts } from "../../../ui/texts.ts";
import { ImportFaults, LineNotes } from "../../estimations/import-source.tsx";
import { titlesWithHours } from "../../estimations/unread-hours.ts";
import { hoursText, PartPreview, withNewIds } from "../insert/part.tsx";
import { placeOf } from "../insert/place-of.ts";
import {
  addPasted,
  countedOf,
  type Decimal,
  type PastedRow,
  type PastedRows,
  pastedCount,
} from "../outline/pasted-rows.ts";
import { readPasted } from "../outline/read-pasted.ts";
import type { Row } from "../outline/rows.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import styles from "./paste-dialog.module.css";
import { pasteTexts as t } from "./paste-texts.ts";

const { columns } = treeTexts.editor;
const SHOWN = 200;

interface PasteProps {
  readonly text: string;
  /** The line that they are added after, or in; undefined in an empty tree. */
  readonly row: Row | undefined;
  readonly sync: TreeSync;
  readonly onClose: () => void;
  /** Called with the first of the new lines. */
  readonly onAdded: (id: string) => void;
}

/** What was understood of a text that was pasted, each line as it will be, before it is added. */
export function PasteDialog({ text, row, sync, onClose, onAdded }: PasteProps) {
  const [decimal, setDecimal] = useState<Decimal | null>(null);
  const read = useMemo(() => readPasted(text, decimal, row !== undefined), [text, decimal, row]);
  const [counting, setCounting] = useState<Counting>("all");
  const [fault, setFault] = useState<string | null>(null);
  const lines = read.kind === "lines" ? read : null;
  const isList = read.kind === "part" && isNewList(read.nodes);
  const nodes = isList && counting === "one" ? nodesOf(read).map(oneOf) : nodesOf(read);
  const count = lines ? pastedCount(lines.rows) : read.kind === "part" ? read.taken.lines : 0;
  const question = lines?.question ?? null;
  const isOpen = question !== null && decimal === null;
  const add = async () => {
    const made = await (lines && row ? addLines(lines, row, sync) : addNodes(nodes, row, sync));
    // What was pasted stays where it can be added later.
    if (made.fault !== null) return setFault(made.fault);
    onClose();
    if (made.first !== null) onAdded(made.first);
    sync.say(addedText(nodes, count));
  };
  return (
    <Dialog title={t.name(count)} onClose={onClose}>
      {isList && (
        <div className={styles.counting}>
          <Choice label={t.counting} options={t.countings} value={counting} onChange={setCounting} />
        </div>
      )}
      {question && <Question question={question} decimal={decimal} onChoose={setDecimal} />}
      {lines && row && <Lines rows={lines.rows} row={row} nodes={nodes} isOpen={isOpen} />}
      {read.kind === "part" && (
        <>
          <p className="muted">{placeOf(row).text}</p>
          <PartPreview nodes={nodes} />
        </>
      )}
      {read.kind === "faults" && <ImportFaults title={t.faults(read.faults.length)} faults={read.faults} />}
      {read.kind !== "faults" && read.taken && <LineNotes taken={read.taken} />}
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <DialogEnd>
        <Button variant="default" onClick={onClose}>
          {uiTexts.cancel}
        </Button>
        <Button data-autofocus disabled={isOpen || count === 0} onClick={() => void add()}>
          {t.add(count)}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}

type Counting = keyof typeof t.countings;

/** Whether it is one list, whose question has nothing to say of its own. */
const isNewList = ([node, ...others]: Tree["nodes"]): boolean =>
  others.length === 0 && node?.kind === "group" && node.title === treeTexts.editor.newNode;

/** Returns the question with one of its options as the answer: the first, until somebody chooses. */
const oneOf = (node: Tree["nodes"][number]): Tree["nodes"][number] => ({
  ...node,
  kind: "single",
  options: node.options.map((option, at) => ({ ...option, selected: at === 0 })),
});

type Read = ReturnType<typeof readPasted>;
type Made = { readonly fault: string | null; readonly first: string | null };

async function addLines({ rows }: PastedRows, row: Row, sync: TreeSync): Promise<Made> {
  const ids = await sync.ids.takeAll("option", pastedCount(rows));
  const fault = ids ? sync.edit(addPasted(row, rows, ids)) : treeTexts.editor.noIds;
  return { fault, first: ids?.[0] ?? row.id };
}

async function addNodes(nodes: Tree["nodes"], row: Row | undefined, sync: TreeSync): Promise<Made> {
  const made = await withNewIds(nodes, sync);
  const fault = made ? sync.edit((tree) => addPart(tree, made, placeOf(row))) : treeTexts.editor.noIds;
  return { fault, first: made?.[0]?.id ?? null };
}

/** Returns what is read as nodes: lines are options of one question. */
function nodesOf(read: Read): Tree["nodes"] {
  if (read.kind === "part") return read.nodes;
  if (read.kind === "faults") return [];
  const options = read.rows
    .filter(({ fault }) => fault === null)
    .map(({ points, fault: _, ...fields }, at) => ({
      ...{ id: `${at}`, description: "", unit: null, override: null, selected: false, requires: [], excludes: [] },
      ...fields,
      ...{ hours: points, nodes: [] },
    }));
  return [
    { id: "", title: "", description: "", kind: "group", required: false, min: null, max: null, options },
  ] as Tree["nodes"];
}

/** Returns how many levels of lines nodes have: questions that only hold options are none. */
function levelsIn(nodes: Tree["nodes"], above = ""): number {
  const each = nodes.map(({ title, kind, options }) => {
    const isHolder = kind === "group" && [above, "", treeTexts.editor.newNode].includes(title);
    const below = options.map((option) => 1 + levelsIn(option.nodes, option.title));
    return (isHolder ? 0 : 1) + Math.max(0, ...below);
  });
  return Math.max(0, ...each);
}

function addedText(nodes: Tree["nodes"], lines: number): string {
  const unread = titlesWithHours(nodes).length;
  return `${t.added(lines, levelsIn(nodes), hoursText(nodes))}${unread === 0 ? "" : t.unread(unread)}`;
}

interface QuestionProps {
  readonly question: NonNullable<PastedRows["question"]>;
  readonly decimal: Decimal | null;
  readonly onChoose: (decimal: Decimal) => void;
}

const Question = ({ question, decimal, onChoose }: QuestionProps) => (
  <fieldset className={styles.question}>
    <legend>{uiTexts.whichNumber(question.text)}</legend>
    {([".", ","] as const).map((mark) => (
      <label key={mark}>
        <input type="radio" name="decimal" checked={decimal === mark} onChange={() => onChoose(mark)} />
        {question.readings[mark]}
      </label>
    ))}
  </fieldset>
);

interface LinesProps {
  readonly rows: readonly PastedRow[];
  readonly row: Row;
  readonly nodes: Tree["nodes"];
  readonly isOpen: boolean;
}

function Lines({ rows, row, nodes, isOpen }: LinesProps) {
  return (
    <>
      <p className="muted">
        {t.into(row.node.title)}: {t.counted(countedOf(row, rows), pastedCount(rows))}
        {!isOpen && ` · ${hoursText(nodes)}`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled with the keyboard */}
      <section className={styles.scroll} aria-label={t.preview} tabIndex={0}>
        <table className={styles.rows}>
          <thead>
            <tr>
              <th scope="col">{t.option}</th>
              <th scope="col">{columns.optimistic}</th>
              <th scope="col">{columns.likely}</th>
              <th scope="col">{columns.pessimistic}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never change places
              <PreviewRow key={index} row={each} isOpen={isOpen} />
            ))}
          </tbody>
        </table>
        {rows.length > SHOWN && <p className="muted">{t.more(rows.length - SHOWN)}</p>}
      </section>
    </>
  );
}

function PreviewRow({ row, isOpen }: { readonly row: PastedRow; readonly isOpen: boolean }) {
  const { title, points, quantity, role, fault } = row;
  return (
    <tr className={fault === null ? "" : styles.wrong}>
      <th scope="row">
        {title} {quantity !== 1 && <span className="muted">× {formatExactHours(quantity)}</span>}{" "}
        {role && <span className="muted">{role}</span>}
      </th>
      {fault !== null ? (
        <td colSpan={3}>{fault}</td>
      ) : (
        [points?.optimistic, points?.likely, points?.pessimistic].map((hours, index) => (
          <td key={["low", "likely", "high"][index]}>{hours === undefined || isOpen ? "" : formatExactHours(hours)}</td>
        ))
      )}
    </tr>
  );
}
