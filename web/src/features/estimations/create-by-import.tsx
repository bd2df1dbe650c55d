import { Button, Textarea } from "@mantine/core";
import { type DragEvent, type FormEvent, lazy, useDeferredValue, useMemo, useState } from "react";
import { summaryHours } from "../../../../domain/tree/hours/roll-up.ts";
import { idsOf } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatExactMoney, formatHours } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { OutlineView } from "../trees/outline/outline-view.tsx";
import styles from "./create-page.module.css";
import { FormEnd } from "./create-page.tsx";
import { ALL, ImportFaults, ImportFileButton, LineNotes, useImportFile } from "./import-source.tsx";
import { OUTLINE_EXAMPLE } from "./outline-example.ts";
import { formatOf, readImport, type Understood } from "./read-import.ts";
import { estimationTexts } from "./texts.ts";
import { useCreate } from "./use-create.ts";

const t = estimationTexts.create;
const DEFAULT_CORRELATION = 0.2;

interface ImportProps {
  readonly content: string;
  readonly setContent: (content: string) => void;
}

const SheetImport = lazy(async () => ({ default: (await import("./sheet-import.tsx")).SheetImport }));

/** Imports what is written, or a file: of a spreadsheet, the service says what it understands. */
export function CreateByImport(given: ImportProps) {
  const [sheet, setSheet] = useState<File | null>(null);
  if (sheet === null) return <ImportText {...given} onSheet={setSheet} />;
  return (
    <Part fallback={<SkeletonRows rows={4} />}>
      <SheetImport file={sheet} onFile={(file) => file && setSheet(file)} onBack={() => setSheet(null)} />
    </Part>
  );
}

interface TextProps extends ImportProps {
  readonly onSheet: (file: File) => void;
}

function ImportText({ content, setContent, onSheet }: TextProps) {
  const [isDropping, setDropping] = useState(false);
  const { unusable, take } = useImportFile(setContent, onSheet);
  const settled = useDeferredValue(content);
  const understood = useMemo(() => (settled.trim() === "" ? null : readImport(settled)), [settled]);
  const create = useCreate(async () => {
    const format = formatOf(content);
    const body = {
      format,
      content,
      ...(format === "outline" && understood?.ok ? { decimal: understood.decimal } : {}),
    };
    return (await api.importEstimation({ body })).data.estimation.id;
  });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    take(event.dataTransfer.files[0]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {create.isError && <Notice kind="bad">{failureText(create.error)}</Notice>}
      {unusable}
      <Textarea
        className={`${styles.outline} ${isDropping ? styles.dropping : ""}`}
        label={t.outline}
        description={t.outlineHint}
        autosize
        minRows={10}
        maxRows={24}
        spellCheck={false}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onDragOver={(event) => {
          event.preventDefault();
          setDropping(true);
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={drop}
      />
      <div className={styles.tools}>
        <ImportFileButton accept={ALL} onFile={take} />
        {content === "" && (
          <Button variant="subtle" size="compact-sm" onClick={() => setContent(OUTLINE_EXAMPLE)}>
            {t.example}
          </Button>
        )}
      </div>
      {understood && <Preview understood={understood} />}
      <FormEnd label={t.importAction} isPending={create.isPending} isReady={understood?.ok === true} />
    </form>
  );
}

function Preview({ understood }: { readonly understood: Understood }) {
  if (!understood.ok) return <ImportFaults title={t.faults(understood.faults.length)} faults={understood.faults} />;
  const { estimation, tree, taken } = understood;
  const { nodes, options } = idsOf(tree.nodes);
  const { p80 } = summaryHours(tree, { correlation: estimation.correlation ?? DEFAULT_CORRELATION });
  return (
    <section className={styles.preview} aria-label={t.understood}>
      <div className={styles.previewHead}>
        <h2>{estimation.title}</h2>
        <span className="muted">{t.size(nodes.size, options.size)}</span>
        {(estimation.hourlyRate ?? null) !== null && (
          <span className="muted">
            {t.rate(formatExactMoney(estimation.hourlyRate ?? 0, estimation.currency ?? null))}
          </span>
        )}
        <span>
          P80 <strong>{formatHours(p80)} h</strong>
        </span>
      </div>
      <LineNotes taken={taken} />
      <div className={styles.previewBody}>
        <OutlineView nodes={tree.nodes} />
      </div>
    </section>
  );
}
