import { TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./create-page.module.css";
import { FormEnd } from "./create-page.tsx";
import { estimationTexts } from "./texts.ts";
import { useCreate } from "./use-create.ts";

const t = estimationTexts.create;

interface Fields {
  readonly title: string;
  readonly clientName: string | null;
}

export function CreateEmpty() {
  const create = useCreate(async (body: Fields) => (await api.createEstimation({ body })).data.estimation.id);
  const faults = faultsByField(create.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({ title: String(form.get("title")), clientName: String(form.get("client")).trim() || null });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {create.isError && Object.keys(faults).length === 0 && <Notice kind="bad">{failureText(create.error)}</Notice>}
      <TextInput
        label={t.name}
        name="title"
        placeholder={t.namePlaceholder}
        required
        maxLength={limits.titleLength}
        error={faults.title}
        autoFocus
      />
      <TextInput label={t.client} name="client" maxLength={limits.clientNameLength} error={faults.clientName} />
      <FormEnd label={t.action} isPending={create.isPending} />
    </form>
  );
}
