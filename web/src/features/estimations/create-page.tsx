import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { lazy, useEffect, useState } from "react";
import { keys } from "../../api/keys.ts";
import type { First } from "../../app/first.ts";
import { Choice } from "../../ui/choice.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Part } from "../../ui/part.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import { templateQuery, templatesQuery } from "../templates/queries.ts";
import { CreateEmpty } from "./create-empty.tsx";
import styles from "./create-page.module.css";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.create;

const loadFromTemplate = () => import("./create-from-template.tsx");
const loadByImport = () => import("./create-by-import.tsx");
const CreateFromTemplate = lazy(async () => ({ default: (await loadFromTemplate()).CreateFromTemplate }));
const CreateByImport = lazy(async () => ({ default: (await loadByImport()).CreateByImport }));

const loadOthers = () => void Promise.allSettled([loadFromTemplate(), loadByImport()]);

export const first: First<{ readonly template?: string | undefined }> = ({ search: { template } }) =>
  template === undefined ? [] : [templatesQuery({}), templateQuery(template)];

type Way = keyof typeof t.ways;

export function CreatePage() {
  useTitle(t.title);
  const { template, way: asked } = useSearch({ from: "/frame/signed-in/estimations/new" });
  const [way, setWay] = useState<Way>(template !== undefined ? "template" : asked === "import" ? asked : "empty");
  // What was pasted on the list; kept while one looks at another way.
  const queries = useQueryClient();
  const [outline, setOutline] = useState(() => queries.getQueryData<string>(keys.pastedOutline) ?? "");
  useEffect(() => queries.removeQueries({ queryKey: keys.pastedOutline }), [queries]);
  return (
    <div className={styles.page}>
      <p className={styles.crumb}>
        <Link to="/estimations">{estimationTexts.estimations.title}</Link>
      </p>
      <h1>{t.title}</h1>
      <Choice label={t.waysLabel} options={t.ways} value={way} onChange={setWay} onPoint={loadOthers} />
      <Part fallback={<SkeletonRows rows={3} />}>
        {way === "empty" && <CreateEmpty />}
        {way === "template" && <CreateFromTemplate given={template} />}
        {way === "import" && <CreateByImport content={outline} setContent={setOutline} />}
      </Part>
    </div>
  );
}

/** The buttons below a form. */
export const FormEnd = ({ label, isPending, isReady = true }: FormEndProps) => (
  <div className={styles.end}>
    <Button type="submit" loading={isPending} disabled={!isReady}>
      {label}
    </Button>
    <LinkButton to="/estimations" variant="subtle" color="gray">
      {uiTexts.cancel}
    </LinkButton>
  </div>
);

interface FormEndProps {
  readonly label: string;
  readonly isPending: boolean;
  readonly isReady?: boolean;
}
