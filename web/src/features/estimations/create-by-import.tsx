import { Button, Textarea } from "@mantine/core";
import { type DragEvent, type FormEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { summaryHours } from "../../../../domain/tree/hours/roll-up.ts";
import { idsOf } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { importFaultText } from "../../api/fault-texts.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatCount, formatExactMoney, formatHours } from "../../ui/numbers/format.ts";
import { OutlineView } from "../trees/grid/outline-view.tsx";
import styles from "./create-page.module.css";
import { FormEnd } from "./create-page.tsx";
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

export function CreateByImport({ content, setContent }: ImportProps) {
  const [isDropping, setDropping] = useState(false);
  const [unusable, setUnusable] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const settled = useDeferredValue(content);
  const understood = useMemo(() => (settled.trim() === "" ? null : readImport(settled)), [settled]);
  const create = useCreate(async () => {
    const body = { format: formatOf(content), content };
    return (await api.importEstimation({ body })).data.estimation.id;
  });
  const take = async (file: File | undefined) => {
    if (!file) return;
    setUnusable(null);
    if (file.size > limits.treeBodyBytes) return setUnusable(t.tooLarge(file.name, limits.treeBodyBytes / 1024 ** 2));
    await file.text().then(setContent, () => setUnusable(t.unreadable(file.name)));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    void take(event.dataTransfer.files[0]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {create.isError && <Notice kind="bad">{failureText(create.error)}</Notice>}
      {unusable !== null && <Notice kind="bad">{unusable}</Notice>}
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
        <input
          ref={picker}
          type="file"
          accept=".md,.txt,.json,text/markdown,text/plain,application/json"
          hidden
          aria-label={t.choose}
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
        <Button variant="default" size="compact-sm" onClick={() => picker.current?.click()}>
          {t.choose}
        </Button>
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

const SHOWN_FAULTS = 100;

function Preview({ understood }: { readonly understood: Understood }) {
  if (!understood.ok) {
    const { faults } = understood;
    return (
      <Notice kind="bad">
        {t.faults(faults.length)}
        <ul className={styles.faults}>
          {faults
            .slice(0, SHOWN_FAULTS)
            .map((fault) => ({ line: fault.line, text: importFaultText(fault) }))
            .map(({ line, text }) => (
              <li key={`${line} ${text}`}>
                <strong>{t.line(formatCount(line))}</strong> {text}
              </li>
            ))}
        </ul>
      </Notice>
    );
  }
  const { estimation, tree } = understood;
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
      <div className={styles.previewBody}>
        <OutlineView nodes={tree.nodes} />
      </div>
    </section>
  );
}
