import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import type { SheetPreview as Preview } from "../../../../contract/values/sheet-preview.ts";
import { api } from "../../api/client.ts";
import { failureText, faultOf, responseOf } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import styles from "./create-page.module.css";
import { FormEnd } from "./create-page.tsx";
import { ImportFaults, ImportFileButton, SHEETS } from "./import-source.tsx";
import { sheetBody, UnusableFile } from "./sheet-file.ts";
import { SheetPreview } from "./sheet-preview.tsx";
import { sheetTexts as t } from "./sheet-texts.ts";
import { useCreate } from "./use-create.ts";

interface SheetImportProps {
  readonly file: File;
  readonly onFile: (file: File | undefined) => void;
  readonly onBack: () => void;
}

/** What the service understands of a spreadsheet; it is imported once that is confirmed. */
export function SheetImport({ file, onFile, onBack }: SheetImportProps) {
  const read = useQuery({
    queryKey: keys.sheetPreview(file.name, file.size, file.lastModified),
    queryFn: async () => {
      const body = await sheetBody(file);
      return { body, preview: (await responseOf(api.previewImport({ body }))).data.preview };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <div className={styles.form}>
      <div className={styles.tools}>
        <strong className={styles.file}>{file.name}</strong>
        <ImportFileButton accept={SHEETS} label={t.again} onFile={onFile} />
        <TextButton onClick={onBack}>{t.back}</TextButton>
      </div>
      {read.isPending && (
        <div role="status" aria-label={t.reading}>
          <SkeletonRows rows={4} />
        </div>
      )}
      {read.isError && <Notice kind="bad">{unusableText(file.name, read.error)}</Notice>}
      {read.data && <Confirm key={read.dataUpdatedAt} {...read.data} fileName={file.name} />}
    </div>
  );
}

/** Faults of a whole file are said of it by its name. */
function unusableText(name: string, error: unknown): string {
  if (error instanceof UnusableFile) return t.unusable(name, error.message);
  const fault = faultOf(error);
  return fault?.path === "/content" ? t.unusable(name, fault.message) : failureText(error);
}

interface ConfirmProps {
  readonly body: { readonly format: "xlsx" | "csv"; readonly content: string };
  readonly preview: Preview;
  readonly fileName: string;
}

function Confirm({ body, preview, fileName }: ConfirmProps) {
  const [title, setTitle] = useState(preview.title ?? fileName.replace(/\.\w+$/, ""));
  const create = useCreate(
    async () => (await api.importEstimation({ body: { ...body, title: title.trim() } })).data.estimation.id,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  const { faults } = preview;
  return (
    <form className={styles.sheet} onSubmit={submit}>
      {create.isError && <Notice kind="bad">{failureText(create.error)}</Notice>}
      {faults.length > 0 && (
        <ImportFaults
          title={t.faults(faults.length)}
          faults={faults.map(({ row, ...fault }) => ({ ...fault, line: row }))}
          lineOf={t.row}
        />
      )}
      <TextInput
        label={t.title}
        value={title}
        required
        maxLength={limits.titleLength}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <SheetPreview preview={preview} />
      <FormEnd label={t.action} isPending={create.isPending} isReady={faults.length === 0 && title.trim() !== ""} />
    </form>
  );
}
