import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { limits } from "../../../../contract/limits.ts";
import { listTexts as t } from "./list-texts.ts";
import styles from "./selection-bar.module.css";

interface TagFormProps {
  /** Those that the reader may edit. */
  readonly editable: readonly Estimation[];
  readonly isRunning: boolean;
  readonly onAdd: (editable: readonly Estimation[], tag: string) => void;
}

/** Adds a tag to several estimations. */
export function TagForm({ editable, isRunning, onAdd }: TagFormProps) {
  const [written, setWritten] = useState("");
  const tag = written.trim();
  const full = editable.find(({ tags }) => tags.length >= limits.tags && !tags.includes(tag));
  return (
    <form
      className={styles.tag}
      onSubmit={(event) => {
        event.preventDefault();
        if (tag === "" || full || editable.length === 0) return;
        onAdd(editable, tag);
        setWritten("");
      }}
    >
      <TextInput
        aria-label={t.tag}
        placeholder={t.tag}
        autoComplete="off"
        maxLength={limits.tagLength}
        error={tag !== "" && full && t.tagsFull(full.title)}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        loading={isRunning}
        disabled={editable.length === 0 || tag === "" || full !== undefined}
      >
        {t.addTag}
      </Button>
    </form>
  );
}
