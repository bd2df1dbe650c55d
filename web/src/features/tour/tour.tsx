import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { preferencesQuery } from "../estimations/queries.ts";
import { useChangePreferences } from "../estimations/use-preferences.ts";
import { tourTexts as t } from "./texts.ts";
import styles from "./tour.module.css";

const { steps } = t;

/** The tour of the editor, beside the page: unless it is asked for, it does not show again once it was left. */
export function Tour({ isAskedFor }: { readonly isAskedFor: boolean }) {
  const { data: preferences } = useQuery(preferencesQuery);
  const change = useChangePreferences();
  const navigate = useNavigate({ from: "/estimations/$id" });
  const isShown = isAskedFor || preferences?.tourLeft === false;
  const leave = () => {
    if (!preferences?.tourLeft) change.mutate({ tourLeft: true });
    void navigate({ hash: "", replace: true });
  };
  return isShown && <Card onLeave={leave} />;
}

function Card({ onLeave }: { readonly onLeave: () => void }) {
  const [at, setAt] = useState(0);
  const next = useRef<HTMLButtonElement>(null);
  const step = steps[at] ?? steps[0];
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const shown = document.querySelector<HTMLElement>(step.at);
    const { top = 0 } = shown?.getBoundingClientRect() ?? {};
    if (top < 0 || top > innerHeight / 2) shown?.scrollIntoView({ block: "nearest" });
    shown?.setAttribute("data-toured", "");
    return () => shown?.removeAttribute("data-toured");
  }, [step]);
  const isLast = at === steps.length - 1;
  return (
    <section
      aria-label={t.label}
      className={styles.card}
      data-over
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onLeave();
      }}
    >
      <p className={styles.count}>{t.step(at + 1, steps.length)}</p>
      <div role="status">
        <h2>{step.title}</h2>
        <p>{step.text}</p>
      </div>
      <div className={styles.end}>
        {!isLast && (
          <Button variant="subtle" color="gray" onClick={onLeave}>
            {t.leave}
          </Button>
        )}
        {at > 0 && (
          <Button variant="default" onClick={() => setAt(at - 1)}>
            {t.back}
          </Button>
        )}
        <Button ref={next} onClick={() => (isLast ? onLeave() : setAt(at + 1))}>
          {isLast ? t.done : t.next}
        </Button>
      </div>
    </section>
  );
}
