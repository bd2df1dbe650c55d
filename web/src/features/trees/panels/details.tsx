import { lazy, useState } from "react";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import { limits } from "../../../../../contract/limits.ts";
import { type NodeKind, nodeKinds } from "../../../../../contract/values/node-kinds.ts";
import { problems } from "../../../../../domain/tree/check/problems.ts";
import { updateNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { updateOption } from "../../../../../domain/tree/edit/edit-options.ts";
import { findOption } from "../../../../../domain/tree/edit/locate.ts";
import {
  type Node,
  type Option,
  pointsOf,
  type ThreePoint,
  type Tree,
  walk,
} from "../../../../../domain/tree/shape.ts";
import { described, hinted } from "../../../ui/hinted.ts";
import { IconClose, IconPlus } from "../../../ui/icons.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { fieldNumber, formatExactHours, numberStyle } from "../../../ui/numbers/format.ts";
import { refusedOf } from "../../../ui/numbers/number-fault.tsx";
import { readNumber, type Typed } from "../../../ui/numbers/read-number.ts";
import { Part } from "../../../ui/part.tsx";
import { Palette } from "../../palette/palette.tsx";
import type { Margin } from "../../reviews/talk/load-margin.ts";
import { lineOf } from "../../reviews/talk/threads.ts";
import { problemText } from "../../states/problem-text.ts";
import type { Held } from "../editor-state.ts";
import { Check, Field, FieldRow } from "../outline/fields.tsx";
import { optionsIn, updateAll } from "../outline/picked.ts";
import { readPoints } from "../outline/read-points.ts";
import { POINTS, type Row } from "../outline/rows.ts";
import { type Point, setHours } from "../outline/typed-points.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import styles from "./details.module.css";
import { panelTexts } from "./panel-texts.ts";

const Adopted = lazy(async () => ({ default: (await import("../../rounds/adopted.tsx")).Adopted }));
const LineTalk = lazy(async () => ({ default: (await import("../../reviews/talk/line-talk.tsx")).LineTalk }));

const t = panelTexts.details;
const columns = treeTexts.editor.columns;

interface DetailsProps {
  readonly row: Row | undefined;
  /** Several selected lines; else none. */
  readonly picked: readonly Row[];
  readonly tree: Tree;
  readonly estimation: Estimation;
  /** What was said about lines. */
  readonly margin: Margin;
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly onGoTo: (id: string) => void;
}

/** Everything that a question or an option holds. */
export function Details({ row, picked, tree, estimation, margin, sync, onGoTo }: DetailsProps) {
  if (picked.length > 1) return <PickedDetails picked={picked} tree={tree} sync={sync} />;
  if (!row) return <p className="muted">{t.none}</p>;
  const own = problems(tree).filter(({ nodeId, optionId }) =>
    row.option ? optionId === row.id : nodeId === row.id && optionId === null,
  );
  const threads = margin.threads.filter(({ first }) => lineOf(first) === row.id);
  const messages = margin.messages.filter((message) => lineOf(message) === row.id);
  return (
    <div className={styles.details} key={row.id}>
      {threads.length + messages.length > 0 && (
        <Part>
          <LineTalk threads={threads} messages={messages} estimation={estimation} tree={tree} />
        </Part>
      )}
      {own.map((problem) => (
        <Notice key={`${problem.problem} ${problem.path}`} kind="warn">
          {problemText(tree, problem)}
        </Notice>
      ))}
      {row.option && (
        <Part>
          <Adopted estimationId={estimation.id} option={row.option} />
        </Part>
      )}
      {row.option ? (
        <OptionDetails option={row.option} tree={tree} sync={sync} onGoTo={onGoTo} />
      ) : (
        <NodeDetails node={row.node} sync={sync} />
      )}
    </div>
  );
}

/** What several lines have in common, to be set for all of them at once. */
function PickedDetails({ picked, tree, sync }: Pick<DetailsProps, "picked" | "tree" | "sync">) {
  const options = optionsIn(picked).map(({ option }) => option);
  const [first] = options;
  if (!first) return <p className="muted">{panelTexts.picked.hint}</p>;
  const change = (fields: Parameters<typeof updateAll>[1]) => sync?.edit(updateAll(picked, fields)) ?? null;
  const shared = { isReadOnly: sync === null, hold: undefined };
  const common = <T,>(fieldOf: (option: Option) => T) =>
    options.every((each) => fieldOf(each) === fieldOf(first)) ? fieldOf(first) : null;
  return (
    <div className={styles.details} key={picked.map(({ id }) => id).join(" ")}>
      <p className={styles.note}>{panelTexts.picked.hint}</p>
      <Field
        {...shared}
        isNumber
        label={t.quantity}
        value={fieldNumber(common(({ quantity }) => quantity))}
        onCommit={(typed) => {
          const read = readNumber(typed, numberStyle);
          if (!read.ok) return refusedOf(read, t.noNumber);
          return read.value === null ? t.noNumber : change({ quantity: read.value });
        }}
      />
      <Field
        {...shared}
        label={t.role}
        hint={t.roleHint}
        value={common(({ role }) => role) ?? ""}
        choices={neighboursOf(tree, first).roles}
        maxLength={limits.roleLength}
        onCommit={(typed) => change({ role: orNull(typed) })}
      />
    </div>
  );
}

/** Returns the text without white space around it. */
const trimmed = ({ text }: Typed) => text.trim();
const orNull = (typed: Typed) => trimmed(typed) || null;

interface TextFieldsProps {
  readonly isReadOnly: boolean;
  readonly hold: (() => Held) | undefined;
  readonly onLost: (text: string) => void;
  readonly texts: Pick<Node, "title" | "description">;
  /** Returns why the change is refused, in words, or null. */
  readonly change: (changes: { title: string } | { description: string }, held?: Held) => string | null;
}

/** What questions and options are called, and what is said about them. */
const TextFields = ({ texts: { title, description }, change, ...shared }: TextFieldsProps) => (
  <>
    <Field
      {...shared}
      label={t.title}
      value={title}
      maxLength={limits.nodeTitleLength}
      onCommit={(typed, held) =>
        trimmed(typed) === "" ? treeTexts.editor.noTitle(title) : change({ title: trimmed(typed) }, held)
      }
    />
    <Field
      {...shared}
      isLong
      label={t.description}
      value={description}
      maxLength={limits.descriptionLength}
      onCommit={(typed, held) => change({ description: typed.text }, held)}
    />
  </>
);

function NodeDetails({ node, sync }: { readonly node: Node; readonly sync: TreeSync | null }) {
  const change = (changes: Parameters<typeof updateNode>[2], held?: Held) =>
    sync?.edit((tree) => updateNode(tree, node.id, changes), held) ?? null;
  const shared = {
    isReadOnly: sync === null,
    hold: sync?.hold,
    onLost: (text: string) => sync?.sayUnsaved(node, text),
  };
  const bound = (name: "min" | "max", typed: Typed, held: Held | undefined) => {
    const read = readNumber(typed, numberStyle);
    return read.ok ? change({ [name]: read.value }, held) : refusedOf(read, t.noNumber);
  };
  return (
    <>
      <TextFields {...shared} texts={node} change={change} />
      <KindChoice kind={node.kind} isReadOnly={sync === null} onChange={(kind) => change({ kind })} />
      <Check
        label={t.required}
        checked={node.required}
        disabled={sync === null}
        onChange={(required) => change({ required })}
      />
      {node.kind === "multi" && (
        <FieldRow>
          <Field
            {...shared}
            isNumber
            label={t.min}
            value={fieldNumber(node.min)}
            onCommit={(typed, held) => bound("min", typed, held)}
          />
          <Field
            {...shared}
            isNumber
            label={t.max}
            value={fieldNumber(node.max)}
            onCommit={(typed, held) => bound("max", typed, held)}
          />
        </FieldRow>
      )}
    </>
  );
}

interface KindProps {
  readonly kind: NodeKind;
  readonly isReadOnly: boolean;
  readonly onChange: (kind: NodeKind) => string | null;
}

function KindChoice({ kind, isReadOnly, onChange }: KindProps) {
  const [fault, setFault] = useState<string | null>(null);
  return (
    <fieldset className={styles.kinds} disabled={isReadOnly}>
      <legend>{t.kind}</legend>
      {nodeKinds.map((each) => (
        <label key={each}>
          <input type="radio" name="kind" checked={each === kind} onChange={() => setFault(onChange(each))} />
          <span>
            {treeTexts.estimation.kinds[each]}
            <span className={styles.kindHint}>{treeTexts.estimation.kindHints[each]}</span>
          </span>
        </label>
      ))}
      {fault && (
        <span role="alert" className={styles.fault}>
          {fault}
        </span>
      )}
    </fieldset>
  );
}

interface OptionProps {
  readonly option: Option;
  readonly tree: Tree;
  readonly sync: TreeSync | null;
  readonly onGoTo: (id: string) => void;
}

function OptionDetails({ option, tree, sync, onGoTo }: OptionProps) {
  const change = (changes: Parameters<typeof updateOption>[2], held?: Held) =>
    sync?.edit((before) => updateOption(before, option.id, changes), held) ?? null;
  /** Two of the three points stay as they were when typing of the third began. */
  const changePoint = (typed: Typed, point: Point, held?: Held) => {
    const begun = (held && findOption(held.content.tree, option.id)?.option) ?? option;
    const name = begun.override ? "override" : "hours";
    const read = readPoints(typed, point, begun[name]);
    return read.ok
      ? (sync?.edit(setHours(option.id, name, read.value), held) ?? null)
      : refusedOf(read, treeTexts.editor.unreadable);
  };
  const shared = {
    isReadOnly: sync === null,
    hold: sync?.hold,
    onLost: (text: string) => sync?.sayUnsaved(option, text),
  };
  const field = option.override ? "override" : "hours";
  const { roles, titles, excludedBy } = neighboursOf(tree, option);
  const links = { titles, isReadOnly: sync === null, onGoTo };
  return (
    <>
      <TextFields {...shared} texts={option} change={change} />
      <FieldRow>
        {POINTS.map((point) => (
          <Field
            key={point}
            {...shared}
            isNumber
            label={columns[point]}
            value={fieldNumber(option[field]?.[point])}
            onCommit={(typed, held) => changePoint(typed, point, held)}
          />
        ))}
      </FieldRow>
      <Check
        label={t.override}
        checked={option.override !== null}
        disabled={sync === null || pointsOf(option) === null}
        onChange={(isOther) => change({ override: isOther ? option.hours : null })}
      />
      {option.override && option.hours && <p className={styles.note}>{t.overridden(pointsText(option.hours))}</p>}
      <FieldRow>
        <Field
          {...shared}
          isNumber
          label={t.quantity}
          value={fieldNumber(option.quantity)}
          onCommit={(typed, held) => {
            const read = readNumber(typed, numberStyle);
            if (!read.ok) return refusedOf(read, t.noNumber);
            return read.value === null ? t.noNumber : change({ quantity: read.value }, held);
          }}
        />
        <Field
          {...shared}
          label={t.unit}
          hint={t.unitHint}
          value={option.unit ?? ""}
          maxLength={limits.unitLength}
          onCommit={(typed, held) => change({ unit: orNull(typed) }, held)}
        />
      </FieldRow>
      <p className={styles.note}>{t.quantityHint}</p>
      <Field
        {...shared}
        label={t.role}
        hint={t.roleHint}
        value={option.role ?? ""}
        choices={roles}
        maxLength={limits.roleLength}
        onCommit={(typed, held) => change({ role: orNull(typed) }, held)}
      />
      {(["requires", "excludes"] as const).map((name) => (
        <Links
          key={name}
          {...links}
          label={t[name]}
          hint={t[`${name}Hint`]}
          ids={option[name]}
          own={option.id}
          onChange={(ids) => change({ [name]: ids })}
        />
      ))}
      {excludedBy.length > 0 && <Links {...links} label={t.excludedBy} ids={excludedBy} own={option.id} />}
    </>
  );
}

const pointsText = ({ optimistic, likely, pessimistic }: ThreePoint): string =>
  [optimistic, likely, pessimistic].map(formatExactHours).join("–");

/** Returns what links in the rest of the tree mean for an option. */
function neighboursOf(tree: Tree, { id }: Option) {
  const roles = new Set<string>();
  const titles = new Map<string, string>();
  const excludedBy: string[] = [];
  walk(tree.nodes, {
    option: (option, _path, node) => {
      titles.set(option.id, `${node.title}: ${option.title}`);
      if (option.role) roles.add(option.role);
      if (option.excludes.includes(id)) excludedBy.push(option.id);
    },
  });
  return { roles: [...roles], titles, excludedBy };
}

interface LinksProps {
  readonly label: string;
  readonly hint?: string;
  readonly ids: readonly string[];
  /** The option whose links they are. */
  readonly own: string;
  readonly titles: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  /** Left out where others name this option. */
  readonly onChange?: (ids: string[]) => string | null;
  readonly onGoTo: (id: string) => void;
}

/** Options that this one is linked with. */
function Links({ label, hint, ids, own, titles, isReadOnly, onChange, onGoTo }: LinksProps) {
  const [isPicking, setPicking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const canChange = onChange !== undefined && !isReadOnly;
  const pick = (id: string) => {
    setPicking(false);
    setFault(onChange?.([...ids, id]) ?? null);
  };
  if (ids.length === 0 && !canChange) return null;
  return (
    <section className={styles.links} aria-label={label}>
      <div className={styles.linksHead}>
        <span {...hinted(hint)}>{label}</span>
        {canChange && (
          <button type="button" aria-label={`${t.addLink}: ${label}`} onClick={() => setPicking(true)}>
            <IconPlus size={12} /> {t.addLink}
          </button>
        )}
      </div>
      <ul>
        {ids.map((id) => {
          const title = titles.get(id) ?? id;
          return (
            <li key={id}>
              <button type="button" {...described(t.goTo(title))} className={styles.link} onClick={() => onGoTo(id)}>
                {title}
              </button>
              {canChange && (
                <button
                  type="button"
                  aria-label={t.removeLink(title)}
                  onClick={() => setFault(onChange(ids.filter((other) => other !== id)))}
                >
                  <IconClose size={12} />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {fault && (
        <span role="alert" className={styles.fault}>
          {fault}
        </span>
      )}
      {isPicking && (
        <Palette
          placeholder={panelTexts.commands.pickPlaceholder}
          items={[...titles]
            .filter(([id]) => id !== own && !ids.includes(id))
            .map(([id, title]) => ({ id, label: title, run: () => pick(id) }))}
          onClose={() => setPicking(false)}
        />
      )}
    </section>
  );
}
