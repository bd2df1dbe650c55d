import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { isPastedIn } from "../../ui/numbers/pasted.ts";
import type { Typed } from "../../ui/numbers/read-number.ts";
import { type Findable, find } from "./find.ts";
import styles from "./palette.module.css";
import { panelTexts } from "./panel/panel-texts.ts";

const t = panelTexts.commands;

export interface PaletteItem extends Findable {
  readonly id: string;
  readonly keys?: string;
  readonly run: () => void;
}

interface PaletteProps {
  readonly placeholder: string;
  readonly items: readonly PaletteItem[];
  /** Returns what else can be done with what is typed. */
  readonly offer?: ((typed: Typed) => readonly PaletteItem[]) | undefined;
  readonly onClose: () => void;
}

/** Finds one of many by what is typed: a combobox with a list, in a dialog. */
export function Palette({ placeholder, items, offer, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [query, setQuery] = useState("");
  const isPasted = useRef(false);
  const [at, setAt] = useState(0);
  const searched = useDeferredValue(query);
  const findAll = (text: string) => [...find(items, text), ...(offer?.({ text, isPasted: isPasted.current }) ?? [])];
  const found = findAll(searched);
  const index = Math.min(at, found.length - 1);
  const chosen = useRef<PaletteItem | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${list}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [list, index]);
  // After the dialog has given the focus back, so that what is run can take it.
  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    chosen.current = item;
    dialog.current?.close();
  };
  const close = () => {
    onClose();
    chosen.current?.run();
  };
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
      choose(findAll(query)[index]);
    }
  };
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t.title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      onKeyDown={press}
    >
      <input
        role="combobox"
        aria-label={placeholder}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${list}-${index}` : undefined}
        className={styles.query}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          isPasted.current = isPastedIn(event, isPasted.current);
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
      />
      <div id={list} role="listbox" aria-label={placeholder} className={styles.list}>
        {found.map((item, place) => (
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
        ))}
      </div>
      <p role="status" className={found.length > 0 ? "unseen" : styles.nothing}>
        {found.length > 0 ? t.found(found.length) : t.nothing}
      </p>
    </dialog>
  );
}

const clamp = (value: number, last: number) => Math.max(0, Math.min(last, value));
