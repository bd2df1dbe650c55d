import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { failureText } from "../../api/failure.ts";
import type { First } from "../../app/first.ts";
import { DialogForm } from "../../ui/dialog.tsx";
import { FailedPage } from "../../ui/failed-page.tsx";
import { Input } from "../../ui/input.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { milestonesQuery, openTasksQuery, timelineQuery } from "./queries.ts";
import { Schedule } from "./schedule.tsx";
import { timelineTexts as t } from "./texts.ts";
import styles from "./timeline.module.css";
import { useChanges } from "./use-changes.ts";

export const first: First = ({ params: { id } }) => [
  estimationQuery(id),
  timelineQuery(id),
  openTasksQuery(id),
  milestonesQuery(id),
];

/** When each task of an estimation is worked on, and how likely its milestones are reached. */
export function TimelinePage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/timeline" });
  const { data: estimation, error, refetch } = useQuery(estimationQuery(id));
  useTitle(estimation && t.title(estimation.title));
  if (estimation === undefined) {
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />;
  }
  return (
    <>
      <EstimationHead estimation={estimation} />
      <Content key={id} estimation={estimation} />
    </>
  );
}

function Content({ estimation }: { readonly estimation: Estimation }) {
  const { id } = estimation;
  const timeline = useQuery(timelineQuery(id));
  const tasks = useQuery(openTasksQuery(id));
  const milestones = useQuery(milestonesQuery(id));
  const changes = useChanges(id);
  const canEdit = mayEdit(estimation);
  const failed = [timeline, tasks].find(({ data, error }) => data === undefined && error);
  if (failed) return <FailedPage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!timeline.data || !tasks.data) return <SkeletonRows rows={10} />;
  if (tasks.data.length === 0) {
    return (
      <Message level={2} title={t.emptyTitle} text={t.empty}>
        <LinkButton to="/estimations/$id/tasks" params={{ id }}>
          {t.toTasks}
        </LinkButton>
      </Message>
    );
  }
  if (timeline.data.startDate === null) {
    return (
      <Message level={2} title={t.noStartTitle} text={canEdit ? t.noStart : t.noStartForReaders}>
        {canEdit && (
          <>
            <DialogForm
              onSubmit={(fields) => {
                const startDate = String(fields.get("startDate"));
                changes.run({ settings: () => ({ startDate }) }, { settings: () => ({ startDate: null }) });
              }}
            >
              <div className={styles.startForm}>
                <Input type="date" name="startDate" required aria-label={t.startDate} />
                <Button type="submit" loading={changes.isSaving}>
                  {t.setStart}
                </Button>
              </div>
            </DialogForm>
            {changes.error && <Notice kind="bad">{failureText(changes.error)}</Notice>}
          </>
        )}
      </Message>
    );
  }
  return (
    <Schedule
      estimation={estimation}
      timeline={timeline.data}
      tasks={tasks.data}
      milestones={milestones.data ?? null}
      changes={changes}
    />
  );
}
