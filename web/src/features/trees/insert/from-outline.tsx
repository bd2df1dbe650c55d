import { Textarea } from "@mantine/core";
import { useState } from "react";
import { ImportFaults, ImportFileButton, LineNotes, useImportFile } from "../../estimations/import-source.tsx";
import styles from "./insert-dialog.module.css";
import type { Part } from "./part.tsx";
import { type ReadPart, readPart } from "./read-part.ts";
import { insertTexts as t } from "./texts.ts";

/** A field for an outline, into which a file can be read. */
export function FromOutline({ onRead }: { readonly onRead: (part: Part | null) => void }) {
  const [content, setContent] = useState("");
  const [read, setRead] = useState<ReadPart | null>(null);
  const take = (text: string) => {
    const understood = text.trim() === "" ? null : readPart(text);
    setContent(text);
    setRead(understood);
    onRead(understood?.ok ? understood.nodes : null);
  };
  const { unusable, take: takeFile } = useImportFile(take);
  return (
    <>
      <Textarea
        className={styles.outline}
        label={t.outline}
        description={t.outlineHint}
        placeholder={t.example}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck={false}
        value={content}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <div>
        <ImportFileButton onFile={takeFile} />
      </div>
      {unusable}
      {read?.ok && <LineNotes taken={read.taken} />}
      {read?.ok === false && <ImportFaults title={t.faults(read.faults.length)} faults={read.faults} />}
    </>
  );
}
