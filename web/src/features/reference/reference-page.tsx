import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { First } from "../../app/first.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { describe } from "./description.ts";
import { OperationList } from "./operation-list.tsx";
import { OperationView } from "./operation-view.tsx";
import styles from "./reference-page.module.css";
import { referenceTexts as t } from "./texts.ts";

/** What the page without scripts explains, and errors of the service point at. */
const ELSEWHERE = /^(error-|errors$|scopes$|events$|faults$)/;

export const first: First = () => [describe];

/** The API reference, made from the service's own description. The hash of its address names the request that shows. */
export function ReferencePage() {
  const { hash } = useLocation();
  const loaded = useQuery(describe);
  const operation = loaded.data?.operations.find(({ id }) => id === hash);
  const shown = useRef<HTMLDivElement>(null);
  useTitle(operation ? `${operation.summary} · ${t.title}` : t.title);
  useEffect(() => {
    if (ELSEWHERE.test(hash)) location.replace(`/docs/plain#${hash}`);
    // On a narrow page the request is below the list.
    else if (operation) shown.current?.focus();
  }, [hash, operation]);
  return (
    <>
      <header className={styles.head}>
        <h1>{t.title}</h1>
        <p className="muted">
          {t.intro} <a href="/api/openapi.json">{t.forPrograms}</a> · <a href="/docs/plain">{t.plain}</a>
        </p>
      </header>
      <LoadFailure query={loaded} />
      {loaded.isPending && <SkeletonRows rows={8} />}
      {loaded.data && (
        <div className={styles.frame}>
          <div className={styles.side}>
            <OperationList {...loaded.data} />
          </div>
          <div className={styles.shown} ref={shown} tabIndex={-1}>
            {operation ? (
              <OperationView key={operation.id} description={loaded.data.description} operation={operation} />
            ) : (
              <p className="muted">{hash === "" ? t.choose : t.unknown}</p>
            )}
          </div>
        </div>
      )}
    </>
  );
}
