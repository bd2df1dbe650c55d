import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useDeferredValue, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField, isPassing } from "../../api/failure.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { templateQuery, templatesQuery } from "../templates/queries.ts";
import { OutlineView } from "../trees/outline/outline-view.tsx";
import styles from "./create-page.module.css";
import { FormEnd } from "./create-page.tsx";
import { estimationTexts } from "./texts.ts";
import { useCreate } from "./use-create.ts";

const t = estimationTexts.create;

/** Makes an estimation from a template: `given`, unless another one is chosen. */
export function CreateFromTemplate({ given = null }: { readonly given?: string | null | undefined }) {
  const [written, setWritten] = useState("");
  const [chosen, setChosen] = useState(given);
  const q = useDeferredValue(written) || undefined;
  const templates = useInfiniteQuery(templatesQuery({ q }));
  const create = useCreateFrom();
  const faults = faultsByField(create.error);
  const rows = templates.data?.pages.flatMap((page) => page.templates) ?? [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (chosen === null) return;
    create.mutate({ title: String(new FormData(event.currentTarget).get("title")), templateId: chosen });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {create.isError && Object.keys(faults).length === 0 && <Notice kind="bad">{failureText(create.error)}</Notice>}
      {templates.isError && <Notice kind="bad">{failureText(templates.error)}</Notice>}
      <TextInput
        label={t.name}
        name="title"
        placeholder={t.namePlaceholder}
        required
        maxLength={limits.titleLength}
        error={faults.title}
        autoFocus
      />
      {(rows.length > 5 || written !== "") && (
        <TextInput
          type="search"
          label={t.searchTemplates}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
          maxLength={limits.searchLength}
        />
      )}
      {templates.isPending && <SkeletonRows rows={3} />}
      {templates.isSuccess && rows.length === 0 && <p className="muted">{t.noTemplates}</p>}
      {rows.length > 0 && (
        <div role="radiogroup" aria-label={t.template} className={styles.templates}>
          {rows.map(({ id, name, description, nodes, options, owner, team }) => (
            <label key={id} className={styles.template}>
              <input type="radio" name="template" checked={id === chosen} onChange={() => setChosen(id)} />
              <strong>{name}</strong>
              <span className="muted">
                {t.size(nodes, options)} · {owner.name}
                {team !== null && ` · ${team.name}`}
              </span>
              {description && <span className="muted">{description}</span>}
            </label>
          ))}
          {templates.hasNextPage && (
            <Button variant="default" onClick={() => void templates.fetchNextPage()}>
              {uiTexts.more}
            </Button>
          )}
        </div>
      )}
      {chosen !== null && <Preview id={chosen} />}
      <FormEnd label={t.action} isPending={create.isPending} isReady={chosen !== null} />
    </form>
  );
}

interface Wanted {
  readonly title: string;
  readonly templateId: string;
}

/** Makes an estimation and applies a template to it, without leaving anything half made or making anything twice. */
function useCreateFrom() {
  /** An estimation whose template may or may not be applied, because the response was lost. A retry continues with it. */
  const half = useRef<(Wanted & { readonly id: string }) | null>(null);
  const remove = (id: string) => api.deleteEstimation({ params: { id } }).catch(() => {});
  return useCreate(async ({ title, templateId }: Wanted) => {
    const before = half.current;
    const isSame = before?.title === title && before.templateId === templateId;
    if (before && !isSame) await remove(before.id);
    half.current = null;
    const id = before && isSame ? before.id : (await api.createEstimation({ body: { title } })).data.estimation.id;
    try {
      await api.applyTemplate({ params: { id }, body: { templateId, mode: "append" } });
    } catch (error) {
      if (isPassing(error)) half.current = { title, templateId, id };
      else await remove(id);
      throw error;
    }
    return id;
  });
}

function Preview({ id }: { readonly id: string }) {
  const template = useQuery(templateQuery(id));
  if (template.isPending) return <SkeletonRows rows={3} />;
  if (template.isError) return <Notice kind="bad">{failureText(template.error)}</Notice>;
  return (
    <section className={styles.preview} aria-label={t.templatePreview}>
      <div className={styles.previewHead}>
        <h2>{t.templatePreview}</h2>
      </div>
      <div className={styles.previewBody}>
        <OutlineView nodes={template.data.tree.nodes} />
      </div>
    </section>
  );
}
