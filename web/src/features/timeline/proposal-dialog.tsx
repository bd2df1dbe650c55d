import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Milestone, Proposal } from "../../../../contract/endpoints/milestones.ts";
import type { Timeline } from "../../../../contract/endpoints/timelines.ts";
import { walk } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import styles from "./milestones.module.css";
import { timelineTexts } from "./texts.ts";
import type { Changes } from "./use-changes.ts";

const t = timelineTexts.proposal;

interface ProposalProps {
  readonly estimation: Estimation;
  readonly timeline: Timeline;
  readonly milestone: Milestone;
  /** Null where nothing can be changed. */
  readonly changes: Changes | null;
  readonly onClose: () => void;
}

/** What it would take to reach a milestone: asked for at once, can be cancelled, and applied. */
export function ProposalDialog({ estimation, timeline, milestone, changes, onClose }: ProposalProps) {
  const { id } = estimation;
  const running = useRef<AbortController>(null);
  const look = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      running.current = controller;
      const params = { id, milestoneId: milestone.id };
      try {
        return (await api.proposeForMilestone({ params, signal: controller.signal })).data.proposal;
      } catch (error) {
        if (controller.signal.aborted) return null;
        throw error;
      }
    },
  });
  const cancel = () => running.current?.abort();
  const { mutate } = look;
  useEffect(() => {
    mutate();
    return () => running.current?.abort();
  }, [mutate]);
  return (
    <Dialog title={t.title(milestone.title, formatDay(milestone.dueDate))} onClose={onClose} look="wide">
      <div className={styles.proposal} aria-live="polite">
        {look.isPending && (
          <p className={styles.looking}>
            {t.looking}
            <Button variant="default" onClick={cancel}>
              {t.cancel}
            </Button>
          </p>
        )}
        {look.isError && <Notice kind="bad">{failureText(look.error)}</Notice>}
        {look.isSuccess && look.data === null && <p className="muted">{t.cancelled}</p>}
        {look.data && (
          <Found
            estimation={estimation}
            timeline={timeline}
            proposal={look.data}
            changes={changes}
            onApplied={onClose}
          />
        )}
      </div>
      <DialogEnd>
        {!look.isPending && !look.data && (
          <Button variant="default" onClick={() => mutate()}>
            {t.again}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {uiTexts.close}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}

interface FoundProps extends Pick<ProposalProps, "estimation" | "timeline" | "changes"> {
  readonly proposal: Proposal;
  readonly onApplied: () => void;
}

/** Options that are listed beside those that are needed. */
const OTHERS = 5;

function Found({ estimation, timeline, proposal: { now, people, scope, target }, changes, onApplied }: FoundProps) {
  const { id } = estimation;
  const titles = useTitles(id, scope !== null);
  const queries = useQueryClient();
  const needed = scope?.options.filter(({ isNeeded }) => isNeeded) ?? [];
  const leaveOut = useMutation({
    mutationFn: async () => {
      for (const { optionId, insteadId } of needed) {
        if (insteadId === null) await api.deselectOption({ params: { id, optionId } });
        else await api.selectOption({ params: { id, optionId: insteadId } });
      }
      await api.generateTasks({ params: { id } });
    },
    onSuccess: onApplied,
    onSettled: () =>
      Promise.all(
        [keys.estimation(id), keys.tasks(id), keys.timeline(id), keys.milestones(id)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
  if (!now) return <p>{t.nothing}</p>;
  if (now.probability >= target) return <p>{t.enough(now.probability)}</p>;
  const applyPeople = () => {
    if (!people) return;
    changes?.run({ settings: () => ({ people: people.people }) }, { settings: () => ({ people: timeline.people }) });
    onApplied();
  };
  const isLocked = estimation.status !== "draft";
  const rest = scope?.options.filter(({ isNeeded }) => !isNeeded) ?? [];
  const nameOf = ({ nodeId, optionId, insteadId }: (typeof needed)[number]) => {
    const title = (of: string) => titles?.get(of) ?? "…";
    return insteadId === null
      ? t.leaveOut(title(nodeId), title(optionId))
      : t.replace(title(nodeId), title(optionId), title(insteadId));
  };
  return (
    <>
      <p>{t.now(now.probability)}</p>
      <div className={styles.ways}>
        <Way title={t.people} none={people ? null : t.noPeople}>
          {people && (
            <>
              <p className={people.isReached ? styles.good : styles.warn}>
                {t.gives(people.probability, people.isReached)}
              </p>
              <ul>
                {people.added.map(({ role, before, after }) => (
                  <li key={role}>{t.added(role, before, after)}</li>
                ))}
              </ul>
              {changes && <Button onClick={applyPeople}>{t.usePeople}</Button>}
            </>
          )}
        </Way>
        <Way title={t.scope} none={scope ? null : t.noScope}>
          {scope && (
            <>
              <p className={scope.isReached ? styles.good : styles.warn}>
                {t.gives(scope.probability, scope.isReached)}
              </p>
              <ul>
                {needed.map((option) => (
                  <li key={option.optionId}>
                    {nameOf(option)} <span className="muted">{t.saves(option.hours, option.probability)}</span>
                  </li>
                ))}
              </ul>
              {rest.length > 0 && (
                <details>
                  <summary>{t.more(rest.length)}</summary>
                  <ul>
                    {rest.slice(0, OTHERS).map((option) => (
                      <li key={option.optionId}>
                        {nameOf(option)} <span className="muted">{t.saves(option.hours, option.probability)}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
              {leaveOut.isError && <Notice kind="bad">{failureText(leaveOut.error)}</Notice>}
              {changes &&
                (isLocked ? (
                  <p className="muted">{t.locked}</p>
                ) : (
                  <Button variant="default" loading={leaveOut.isPending} onClick={() => leaveOut.mutate()}>
                    {t.leaveOutAll(needed.length)}
                  </Button>
                ))}
            </>
          )}
        </Way>
      </div>
    </>
  );
}

interface WayProps {
  readonly title: string;
  /** Why there is nothing; null where there is. */
  readonly none: string | null;
  readonly children: ReactNode;
}

const Way = ({ title, none, children }: WayProps) => (
  <section className={styles.way}>
    <h3>{title}</h3>
    {none === null ? children : <p className="muted">{none}</p>}
  </section>
);

/** The titles of all questions and options by their ids; undefined until they are loaded. */
function useTitles(id: string, isWanted: boolean): ReadonlyMap<string, string> | undefined {
  return useQuery({
    queryKey: keys.titles(id),
    enabled: isWanted,
    staleTime: 0,
    queryFn: async () => {
      const { tree } = (await api.getTree({ params: { id } })).data;
      const titles = new Map<string, string>();
      const keep = (part: { readonly id: string; readonly title: string }) => void titles.set(part.id, part.title);
      walk(tree.nodes as Parameters<typeof walk>[0], { node: keep, option: keep });
      return titles;
    },
  }).data;
}
