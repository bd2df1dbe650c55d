import { Button, TextInput } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { SavedFilter } from "../../../../contract/endpoints/preferences.ts";
import { limits } from "../../../../contract/limits.ts";
import type { ListColumn } from "../../../../contract/values/list-columns.ts";
import { IconClose, IconPencil, IconRotate } from "../../ui/icons.tsx";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import type { ListSearch } from "./list-search.ts";
import { listTexts as t } from "./list-texts.ts";
import { addressOf, addressOfView, viewOf } from "./view-address.ts";
import styles from "./view-options.module.css";

interface SavedViewsProps {
  readonly saved: readonly SavedFilter[];
  /** What the list shows, … */
  readonly search: ListSearch;
  /** … and the columns that it does not show. */
  readonly hidden: readonly ListColumn[];
  readonly onSave: (saved: SavedFilter[]) => void;
  readonly onShow: (address: string) => void;
  /** What had the focus is gone. */
  readonly onFocusLost: () => void;
}

/** What was done last, and the views before it. */
interface Done {
  readonly text: string;
  readonly before: readonly SavedFilter[];
}

/** The views that the reader has saved: each shows the list as it was, and can be replaced, renamed and deleted. */
export function SavedViews({ saved, search, hidden, onSave, onShow, onFocusLost }: SavedViewsProps) {
  const [renamed, setRenamed] = useState<string | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const { history } = useRouter();
  const shown = addressOf(search);
  const change = (now: SavedFilter[], text: string | null) => {
    setDone(text === null ? null : { text, before: saved });
    setRenamed(null);
    onFocusLost();
    onSave(now);
  };
  /** Saves what shows under this name, in place of the view that has it, and stays there. */
  const saveAs = (name: string) => {
    const view = viewOf(name, search, hidden);
    const isReplaced = saved.some((one) => one.name === name);
    const now = isReplaced ? saved.map((one) => (one.name === name ? view : one)) : [...saved, view];
    change(now, isReplaced ? t.replaced(name) : null);
    history.replace(addressOfView(view));
  };
  return (
    <fieldset className={styles.part}>
      <legend>{t.saved}</legend>
      <Show name={t.every} address="/estimations" shown={shown} onShow={onShow} />
      {saved.map((view) =>
        view.name === renamed ? (
          <Rename
            key={view.name}
            name={view.name}
            others={saved.filter((one) => one !== view)}
            onRename={(name) =>
              change(
                saved.map((one) => (one === view ? { ...view, name } : one)),
                null,
              )
            }
            onCancel={() => {
              setRenamed(null);
              onFocusLost();
            }}
          />
        ) : (
          <Show key={view.name} name={view.name} address={addressOfView(view)} shown={shown} onShow={onShow}>
            {addressOfView(view) !== shown && (
              <Action label={t.replace(view.name)} onClick={() => saveAs(view.name)}>
                <IconRotate size={14} />
              </Action>
            )}
            <Action label={t.rename(view.name)} onClick={() => setRenamed(view.name)}>
              <IconPencil size={14} />
            </Action>
            <Action
              label={t.forget(view.name)}
              onClick={() =>
                change(
                  saved.filter((one) => one !== view),
                  t.forgotten(view.name),
                )
              }
            >
              <IconClose size={14} />
            </Action>
          </Show>
        ),
      )}
      {done && (
        <Notice
          kind="info"
          action={<NoticeButton onClick={() => change([...done.before], null)}>{t.undo}</NoticeButton>}
        >
          {done.text}
        </Notice>
      )}
      <SaveView saved={saved} onSave={saveAs} />
    </fieldset>
  );
}

interface ShowProps {
  readonly name: string;
  readonly address: string;
  /** The address of what shows. */
  readonly shown: string;
  readonly onShow: (address: string) => void;
  /** What can be done with it. */
  readonly children?: ReactNode;
}

const Show = ({ name, address, shown, onShow, children }: ShowProps) => (
  <div className={styles.view}>
    <button type="button" aria-current={address === shown ? "true" : undefined} onClick={() => onShow(address)}>
      {name}
    </button>
    {children}
  </div>
);

interface ActionProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const Action = ({ label, onClick, children }: ActionProps) => (
  <button type="button" aria-label={label} data-hint={label} onClick={onClick}>
    {children}
  </button>
);

interface RenameProps {
  readonly name: string;
  readonly others: readonly SavedFilter[];
  readonly onRename: (name: string) => void;
  readonly onCancel: () => void;
}

/** Renames a view, in its place. */
function Rename({ name, others, onRename, onCancel }: RenameProps) {
  const field = useRef<HTMLInputElement>(null);
  const [written, setWritten] = useState(name);
  useEffect(() => field.current?.select(), []);
  const now = written.trim();
  const isTaken = others.some((one) => one.name === now);
  const rename = (event: FormEvent) => {
    event.preventDefault();
    if (now !== "" && !isTaken) onRename(now);
  };
  return (
    <form className={styles.save} onSubmit={rename}>
      <TextInput
        ref={field}
        className={styles.name}
        aria-label={t.newName}
        autoComplete="off"
        maxLength={limits.savedFilterNameLength}
        error={isTaken && t.taken}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // Only the renaming ends, and what it is in stays open.
          event.preventDefault();
          onCancel();
        }}
      />
      <Button type="submit" variant="default" disabled={now === "" || isTaken}>
        {uiTexts.save}
      </Button>
    </form>
  );
}

interface SaveViewProps {
  readonly saved: readonly SavedFilter[];
  readonly onSave: (name: string) => void;
}

/** Saves what the list shows; a name that is used already then stands for it. */
function SaveView({ saved, onSave }: SaveViewProps) {
  const [name, setName] = useState("");
  const others = saved.filter((one) => one.name !== name.trim());
  const isFull = others.length >= limits.savedFilters;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "" || isFull) return;
    onSave(name.trim());
    setName("");
  };
  return (
    <form className={styles.save} onSubmit={save}>
      <TextInput
        className={styles.name}
        aria-label={t.name}
        placeholder={t.name}
        description={t.saveHint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        autoComplete="off"
        maxLength={limits.savedFilterNameLength}
        error={isFull && t.full(limits.savedFilters)}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={name.trim() === "" || isFull}>
        {t.save}
      </Button>
    </form>
  );
}
