import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Choice } from "../../ui/choice.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import { CreateEmpty } from "./create-empty.tsx";
import styles from "./create-page.module.css";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.create;

const CreateFromTemplate = lazy(async () => ({
  default: (await import("./create-from-template.tsx")).CreateFromTemplate,
}));
const CreateByImport = lazy(async () => ({ default: (await import("./create-by-import.tsx")).CreateByImport }));

type Way = keyof typeof t.ways;

export function CreatePage() {
  useTitle(t.title);
  const [way, setWay] = useState<Way>("empty");
  // Kept while one looks at another way.
  const [outline, setOutline] = useState("");
  return (
    <div className={styles.page}>
      <p className={styles.crumb}>
        <Link to="/estimations">{estimationTexts.estimations.title}</Link>
      </p>
      <h1>{t.title}</h1>
      <Choice label={t.waysLabel} options={t.ways} value={way} onChange={setWay} />
      <Suspense fallback={<SkeletonRows rows={3} />}>
        {way === "empty" && <CreateEmpty />}
        {way === "template" && <CreateFromTemplate />}
        {way === "import" && <CreateByImport content={outline} setContent={setOutline} />}
      </Suspense>
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
