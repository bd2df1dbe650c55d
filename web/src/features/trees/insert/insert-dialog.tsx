import { Button } from "@mantine/core";
import { useState } from "react";
import { addPart } from "../../../../../domain/tree/edit/add-part.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import type { Row } from "../outline/rows.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import { FromOutline } from "./from-outline.tsx";
import { FromTemplate } from "./from-template.tsx";
import styles from "./insert-dialog.module.css";
import { type Part, PartPreview, withNewIds } from "./part.tsx";
import { placeOf } from "./place-of.ts";
import { insertTexts as t } from "./texts.ts";

interface InsertProps {
  /** The line that has the focus. */
  readonly row: Row | undefined;
  readonly sync: TreeSync;
  readonly onClose: () => void;
  /** Called with the first of the new lines. */
  readonly onAdded: (id: string) => void;
}

/** Adds an outline, a file or a template to the tree, as one step, after a look at what it adds. */
export function InsertDialog({ row, sync, onClose, onAdded }: InsertProps) {
  const [way, setWay] = useState<keyof typeof t.ways>("outline");
  const [part, setPart] = useState<Part | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const place = placeOf(row);
  const add = async (nodes: Part) => {
    setRefused(null);
    setAdding(true);
    const made = await withNewIds(nodes, sync);
    setAdding(false);
    const fault = made ? sync.edit((tree) => addPart(tree, made, place)) : treeTexts.editor.noIds;
    if (fault) return setRefused(fault);
    onClose();
    const [first] = made ?? [];
    if (first) onAdded(first.id);
  };
  return (
    <Dialog title={t.title} onClose={onClose} isLocked={isAdding}>
      <div className={styles.body}>
        <p className="muted">{place.text}</p>
        <Choice
          label={t.waysLabel}
          options={t.ways}
          value={way}
          onChange={(next) => {
            setPart(null);
            setWay(next);
          }}
        />
        {way === "outline" ? <FromOutline onRead={setPart} /> : <FromTemplate onRead={setPart} />}
        {part && <PartPreview nodes={part} />}
        {refused !== null && <Notice kind="bad">{refused}</Notice>}
      </div>
      <DialogEnd>
        <Button variant="default" onClick={onClose} disabled={isAdding}>
          {uiTexts.cancel}
        </Button>
        <Button disabled={!part || part.length === 0} loading={isAdding} onClick={() => part && void add(part)}>
          {t.action}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
