import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { FailedPage } from "../../ui/failed-page.tsx";
import { described } from "../../ui/hinted.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { useTitle } from "../../ui/use-title.ts";
import { downloadTexts } from "../downloads/texts.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import { estimationTexts } from "../estimations/texts.ts";
import { submittedQuery } from "../timeline/queries.ts";
import { treeQuery } from "../trees/sync/queries.ts";
import type { TreeSync } from "../trees/sync/tree-sync.ts";
import { PARTS, type Part, readWithout, writeWithout } from "./parts.ts";
import styles from "./print.module.css";
import { Drivers, Estimate, Roles } from "./printed-figures.tsx";
import { PrintedTree } from "./printed-tree.tsx";
import { PrintedMilestones, PrintedTasks } from "./printed-work.tsx";
import { printTexts as t } from "./texts.ts";
import { useWork } from "./use-work.ts";

/** An estimation as a document, with what chooses its parts above it: the tree of the editor has no more lines than fit. */
export function PrintPage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/print" });
  const estimation = useQuery(estimationQuery(id));
  const tree = useQuery(treeQuery(id));
  const shown = estimation.data ?? tree.data?.current().estimation;
  if (shown && tree.data) return <Printed key={id} estimation={shown} sync={tree.data} />;
  const failed = estimation.error ?? tree.error;
  if (!failed) return <SkeletonRows rows={10} />;
  return <FailedPage error={failed} onRetry={() => void Promise.all([estimation.refetch(), tree.refetch()])} />;
}

interface PrintedProps {
  readonly estimation: Estimation;
  readonly sync: TreeSync;
}

/** What the reader sees in the editor, also what is not saved yet. */
function Printed({ estimation: given, sync }: PrintedProps) {
  useEffect(() => sync.follow(given), [sync, given]);
  const state = useSyncExternalStore(sync.subscribe, sync.current);
  const { id, status, revision } = state.estimation;
  const isOpen = status === "draft" && mayEdit(state.estimation);
  const { tree, own } = isOpen ? state : state.stored;
  const { correlation, hourlyRate, currency } = own;
  const hours = useMemo(
    () => rollUp(tree, { correlation, hourlyRate, currency }),
    [tree, correlation, hourlyRate, currency],
  );
  const { without: left } = useSearch({ from: "/frame/signed-in/estimations/$id/print" });
  const navigate = useNavigate({ from: "/estimations/$id/print" });
  const without = useMemo(() => readWithout(left), [left]);
  // The boxes answer at once, thousands of lines a moment later.
  const drawn = useDeferredValue(without);
  const shows = (part: Part) => !drawn.has(part);
  // The head is painted first; the lines take longest.
  const showsLines = useDeferredValue(true, false);
  const work = useWork(id, without);
  const version = useQuery({ ...submittedQuery(id), enabled: status !== "draft" }).data;
  const [today] = useState(() => formatDay(new Date().toISOString()));
  useTitle(t.title(own.title, revision));
  const change = (part: Part, isShown: boolean) => {
    const next = new Set(without);
    if (isShown) next.delete(part);
    else next.add(part);
    void navigate({ search: { without: writeWithout(next) }, replace: true, resetScroll: false });
  };
  const about = [
    own.clientName,
    t.revision(revision) + (isOpen && state.saving.at !== "saved" ? `, ${t.unsaved}` : ""),
    status === "draft" || !version ? null : t.version(version.number, version.label),
    estimationTexts.estimations.statuses[status],
    today,
  ];
  return (
    <>
      <div className={styles.controls}>
        <p>
          <Link to="/estimations/$id" params={{ id }}>
            {own.title}
          </Link>
        </p>
        <fieldset className={styles.parts}>
          <legend>{t.settings}</legend>
          {PARTS.map((part) => (
            <Checkbox
              key={part}
              label={t.parts[part]}
              checked={!without.has(part)}
              disabled={(part === "dormant" || part === "texts") && without.has("tree")}
              onChange={({ currentTarget }) => change(part, currentTarget.checked)}
            />
          ))}
        </fieldset>
        <Button loading={!showsLines || work.isLoading} {...described(downloadTexts.printKeys)} onClick={() => print()}>
          {t.print}
        </Button>
      </div>
      <article className={styles.paper}>
        <header className={styles.head}>
          <h1>{own.title}</h1>
          <p className="muted">{about.filter((text) => text !== null && text !== "").join(" · ")}</p>
        </header>
        {shows("description") && own.description !== "" && <p className={styles.text}>{own.description}</p>}
        {shows("assumptions") && own.assumptions !== "" && (
          <section>
            <h2>{t.parts.assumptions}</h2>
            <p className={styles.text}>{own.assumptions}</p>
          </section>
        )}
        {shows("estimate") && <Estimate hours={hours} tree={tree} />}
        {shows("drivers") && <Drivers hours={hours} tree={tree} />}
        {shows("roles") && <Roles hours={hours} />}
        {shows("tree") && showsLines && (
          <PrintedTree tree={tree} byNode={hours.byNode} hasDormant={shows("dormant")} hasTexts={shows("texts")} />
        )}
        {shows("milestones") && <PrintedMilestones milestones={work.milestones} />}
        {shows("tasks") && <PrintedTasks tasks={work.tasks} timeline={work.timeline} />}
      </article>
    </>
  );
}
