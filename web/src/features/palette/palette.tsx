import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Dialog } from "../../ui/dialog.tsx";
import { isPastedIn } from "../../ui/numbers/pasted.ts";
import type { Typed } from "../../ui/numbers/read-number.ts";
import type { PaletteItem } from "./commands.ts";
import { find } from "./find.ts";
import styles from "./palette.module.css";
import { paletteTexts as t } from "./texts.ts";

interface PaletteProps {
  readonly placeholder: string;
  readonly items: readonly PaletteItem[];
  /** Returns what else can be done with what is typed. */
  readonly offer?: ((typed: Typed) => readonly PaletteItem[]) | undefined;
  /** What is also searched elsewhere for what is typed: what was found there so far, and whether more may come. */
  readonly elsewhere?: {
    readonly found: readonly PaletteItem[];
    readonly isSearching: boolean;
    readonly search: (query: string) => void;
  };
  /** Called with what is chosen, once the dialog is closed; by default it is run. */
  readonly onChoose?: (item: PaletteItem) => void;
  readonly onClose: () => void;
}

/** Finds one of many by what is typed: a combobox with a list, in a dialog. */
export function Palette({ placeholder, items, offer, elsewhere, onChoose, onClose }: PaletteProps) {
  const list = useId();
  const [query, setQuery] = useState("");
  const isPasted = useRef(false);
  const [at, setAt] = useState(0);
  const searched = useDeferredValue(query);
  const findAll = (text: string) => [
    ...find(items, text),
    // What was found for an earlier text may not match this one.
    ...(text === "" ? [] : find(elsewhere?.found ?? [], text)),
    ...(offer?.({ text, isPasted: isPasted.current }) ?? []),
  ];
  const found = findAll(searched);
  const index = Math.min(at, found.length - 1);
  useEffect(() => {
    document.getElementById(`${list}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [list, index]);
  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    // The dialog first gives the focus back, so that what is run can take it.
    flushSync(onClose);
    if (onChoose) onChoose(item);
    else item.run?.();
  };
  // Who types and presses Enter at once means the first that will be found.
  const [isChosen, setChosen] = useState(false);
  const isSearching = elsewhere?.isSearching ?? false;
  useEffect(() => {
    if (!isChosen) return;
    const [first] = findAll(query);
    if (first === undefined && isSearching) return;
    setChosen(false);
    choose(first);
  });
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const last = found.length - 1;
      setAt(
        Math.abs(step) === 1 ? (index + step + found.length) % Math.max(found.length, 1) : clamp(index + step, last),
      );
    } else if (event.key === "Enter") {
      event.preventDefault();
      const all = findAll(query);
      if (all.length === 0 && isSearching) setChosen(true);
      else choose(all[index]);
    }
  };
  const entry = (item: PaletteItem, place: number) => (
    <div
      key={item.id}
      id={`${list}-${place}`}
      role="option"
      tabIndex={-1}
      aria-selected={place === index}
      className={styles.item}
      onPointerMove={() => setAt(place)}
      onClick={() => choose(item)}
      onKeyDown={press}
    >
      <span className={styles.label}>{item.label}</span>
      {item.detail && <span className={styles.detail}>{item.detail}</span>}
      {item.keys && <kbd>{item.keys}</kbd>}
    </div>
  );
  return (
    <Dialog title={t.title} onClose={onClose} look="palette">
      <input
        role="combobox"
        aria-label={placeholder}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${list}-${index}` : undefined}
        className={styles.query}
        onKeyDown={press}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          isPasted.current = isPastedIn(event, isPasted.current);
          setQuery(event.currentTarget.value);
          elsewhere?.search(event.currentTarget.value.trim());
          setAt(0);
          setChosen(false);
        }}
      />
      <div id={list} role="listbox" aria-label={placeholder} className={styles.list}>
        {searched === ""
          ? groupsOf(found).map(({ group, from, members }) =>
              group === undefined ? (
                members.map((item, place) => entry(item, from + place))
              ) : (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a list to choose from
                <div key={group} role="group" aria-label={group}>
                  <div className={styles.group} aria-hidden="true">
                    {group}
                  </div>
                  {members.map((item, place) => entry(item, from + place))}
                </div>
              ),
            )
          : found.map(entry)}
      </div>
      <p role="status" className={found.length > 0 ? "unseen" : styles.nothing}>
        {found.length > 0 ? t.found(found.length) : isSearching ? t.searching : t.nothing}
      </p>
    </Dialog>
  );
}

const clamp = (value: number, last: number) => Math.max(0, Math.min(last, value));

interface Group {
  readonly group: string | undefined;
  /** The place of its first member in the whole list. */
  readonly from: number;
  readonly members: PaletteItem[];
}

/** Returns the items by the groups that follow each other. */
function groupsOf(items: readonly PaletteItem[]): Group[] {
  const groups: Group[] = [];
  for (const [from, item] of items.entries()) {
    const last = groups.at(-1);
    if (last && last.group === item.group) last.members.push(item);
    else groups.push({ group: item.group, from, members: [item] });
  }
  return groups;
}
