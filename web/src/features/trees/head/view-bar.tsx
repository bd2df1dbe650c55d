import type { RefObject } from "react";
import { limits } from "../../../../../contract/limits.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Input } from "../../../ui/input.tsx";
import { treeTexts } from "../texts.ts";
import styles from "./toolbar.module.css";

const t = treeTexts.editor;

interface ViewBarProps {
  readonly view: keyof typeof t.views;
  readonly setView: (view: keyof typeof t.views) => void;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly filter: RefObject<HTMLInputElement | null>;
}

/** How the tree is looked at, by readers too. */
export const ViewBar = ({ view, setView, query, setQuery, filter }: ViewBarProps) => (
  <>
    <div className={styles.view}>
      <Choice label={t.view} options={t.views} value={view} onChange={setView} />
    </div>
    <Input
      ref={filter}
      type="search"
      className={styles.filter}
      aria-label={t.filter}
      placeholder={t.filterHint}
      data-hint={`${t.filter} (${t.keys.filter})`}
      aria-description={t.keys.filter}
      maxLength={limits.searchLength}
      value={query}
      onChange={(event) => setQuery(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || query === "") return;
        event.preventDefault();
        setQuery("");
      }}
    />
  </>
);
