import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { SkeletonRows } from "../../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../../ui/load-failure.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import { templateQuery, templatesQuery } from "../../templates/queries.ts";
import styles from "./insert-dialog.module.css";
import type { Part } from "./part.tsx";
import { insertTexts as t } from "./texts.ts";

/** The templates that the reader sees, to choose one of. */
export function FromTemplate({ onRead }: { readonly onRead: (part: Part | null) => void }) {
  const [q, setQ] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState<string | null>(null);
  const list = useInfiniteQuery({ ...templatesQuery({ q }), placeholderData: keepPreviousData });
  const template = useQuery({ ...templateQuery(chosen ?? ""), enabled: chosen !== null });
  const rows = list.data?.pages.flatMap(({ templates }) => templates) ?? [];
  const nodes = template.data?.tree.nodes;
  useEffect(() => onRead((nodes as Part | undefined) ?? null), [nodes, onRead]);
  return (
    <>
      <SearchField label={t.search} className={styles.search} q={q} onChange={setQ} />
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={3} />}
      {list.isSuccess && rows.length === 0 && <p className="muted">{t.noTemplates}</p>}
      {rows.length > 0 && (
        <div role="radiogroup" aria-label={t.template} className={styles.templates}>
          {rows.map(({ id, name, nodes: questions, options, owner }) => (
            <label key={id} className={styles.template}>
              <input type="radio" name="template" checked={id === chosen} onChange={() => setChosen(id)} />
              <span className={styles.name}>{name}</span>
              <span className="muted">
                {t.size(questions, options)} · {owner.name}
              </span>
            </label>
          ))}
          {list.hasNextPage && (
            <Button variant="default" size="compact-sm" onClick={() => void list.fetchNextPage()}>
              {uiTexts.more}
            </Button>
          )}
        </div>
      )}
      {chosen !== null && template.isPending && <SkeletonRows rows={3} />}
      <LoadFailure query={template} />
    </>
  );
}
