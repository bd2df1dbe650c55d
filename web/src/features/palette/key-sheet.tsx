import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Dialog, DialogEnd } from "../../ui/dialog.tsx";
import { keepSingleKeys, useSingleKeys } from "../../ui/single-keys.ts";
import { uiTexts } from "../../ui/texts.ts";
import type { Commands } from "./commands.ts";
import styles from "./key-sheet.module.css";
import { paletteTexts as t } from "./texts.ts";

interface KeySheetProps {
  /** The commands of the page. */
  readonly parts: readonly Commands[];
  readonly onClose: () => void;
}

/** The keys of the page, and those of every page. */
export function KeySheet({ parts, onClose }: KeySheetProps) {
  const singleKeys = useSingleKeys();
  const all = [...parts.flatMap(({ keys = [] }) => keys), ...t.keysOfAll];
  // A page may say more precisely what a key does.
  const shown = new Map([...all].reverse());
  return (
    <Dialog title={t.keys} onClose={onClose} look="wide">
      <dl className={styles.keys}>
        {[...shown].reverse().map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.side}>
        <input type="checkbox" checked={singleKeys} onChange={(event) => keepSingleKeys(event.currentTarget.checked)} />
        {t.singleKeys}
      </label>
      <DialogEnd>
        <Link to="/glossary" className={styles.aside} onClick={onClose}>
          {t.glossary}
        </Link>
        <Button variant="default" onClick={onClose}>
          {uiTexts.close}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
