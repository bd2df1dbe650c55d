import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Task } from "../../../../contract/endpoints/tasks.ts";
import type { First } from "../../app/first.ts";
import { Choice } from "../../ui/choice.tsx";
import { FailedPage } from "../../ui/failed-page.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Part } from "../../ui/part.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import { useCommands } from "../palette/commands.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { tasksQuery } from "./queries.ts";
import { TaskTable } from "./task-table.tsx";
import styles from "./tasks.module.css";
import { taskTexts as t } from "./texts.ts";

const ExportPanel = lazy(async () => ({ default: (await import("../exports/export-panel.tsx")).ExportPanel }));
const GenerateDialog = lazy(async () => ({ default: (await import("./generate-dialog.tsx")).GenerateDialog }));

export const first: First<{ readonly status?: Task["status"] | undefined }> = ({
  params: { id },
  search: { status },
}) => [estimationQuery(id), tasksQuery(id, status)];

/** The tasks of an estimation: generated from its tree, then worked on. */
export function TasksPage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/tasks" });
  const { data: estimation, error, refetch } = useQuery(estimationQuery(id));
  useTitle(estimation && t.title(estimation.title));
  if (estimation === undefined) {
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />;
  }
  return (
    <>
      <EstimationHead estimation={estimation} />
      <Tasks key={id} estimation={estimation} />
    </>
  );
}

function Tasks({ estimation }: { readonly estimation: Estimation }) {
  const { id } = estimation;
  const { status } = useSearch({ from: "/frame/signed-in/estimations/$id/tasks" });
  const navigate = useNavigate({ from: "/estimations/$id/tasks" });
  const list = useInfiniteQuery(tasksQuery(id, status));
  const [isGenerating, setGenerating] = useState(false);
  const tasks = list.data?.pages.flatMap((page) => page.tasks) ?? [];
  const canEdit = mayEdit(estimation);
  // What was seen stays, also where it cannot be read again.
  const isKnown = list.data !== undefined;
  const isEmpty = isKnown && tasks.length === 0 && status === undefined;
  useCommands(async () => ({
    items: canEdit ? [{ id: "command generate", label: t.command, run: () => setGenerating(true) }] : [],
  }));
  return (
    <>
      {isEmpty ? (
        <>
          <LoadFailure query={list} />
          <Message level={2} title={t.emptyTitle} text={canEdit ? t.empty : t.emptyForReaders}>
            {canEdit && <Button onClick={() => setGenerating(true)}>{t.generate}</Button>}
          </Message>
        </>
      ) : (
        <>
          <div className={styles.bar}>
            <Choice
              label={t.statusFilter}
              options={t.statuses}
              value={status ?? "all"}
              onChange={(next) =>
                void navigate({ search: { status: next === "all" ? undefined : next }, replace: true })
              }
            />
            {canEdit && (
              <Button className={styles.end} onClick={() => setGenerating(true)}>
                {t.again}
              </Button>
            )}
          </div>
          <LoadFailure query={list} />
          {list.isPending && <SkeletonRows rows={8} />}
          {isKnown && tasks.length === 0 && <p className={styles.none}>{t.noneOfStatus}</p>}
          {tasks.length > 0 && <TaskTable estimationId={id} tasks={tasks} canEdit={canEdit} />}
          {tasks.length > 0 && <MoreRows counted={t.counts(tasks.length)} list={list} />}
        </>
      )}
      {isKnown && !isEmpty && (
        <Part>
          <ExportPanel estimation={estimation} />
        </Part>
      )}
      {isGenerating && (
        <Part>
          <GenerateDialog
            estimation={estimation}
            known={list.hasNextPage || status !== undefined ? null : tasks}
            onClose={() => setGenerating(false)}
          />
        </Part>
      )}
    </>
  );
}
