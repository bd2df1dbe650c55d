import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Milestone, MilestoneRecord } from "../../../../contract/endpoints/milestones.ts";
import type { Timeline, TimelineInput, TimelineSettings } from "../../../../contract/endpoints/timelines.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { useStable } from "../trees/use-stable.ts";
import { milestonesQuery, timelineQuery } from "./queries.ts";

/** A change of the timeline's settings, from what they are when it is sent, so that others' changes stay; or of a milestone. */
export type Change =
  | { readonly settings: (now: TimelineSettings) => TimelineInput }
  | { readonly milestoneId: string; readonly fields: Partial<Omit<MilestoneRecord, "id">> };

/** A change with what takes it back. */
interface Step {
  readonly change: Change;
  readonly back: Change;
}

/** A change that is sent, with what follows: all of it here, since what is given to `mutate` is lost with the next change. */
interface Variables {
  readonly change: Change;
  readonly onDone: () => void;
  readonly onSettled?: (() => void) | undefined;
}

/** A list with a step of its own: adding something to it, or taking it out. */
type Lists = Pick<TimelineSettings, "dependencies" | "holidays">;

/** Returns a change that adds and removes entries of a list, and leaves the others as they are. */
export function listChange<Name extends keyof Lists>(
  name: Name,
  { add, remove }: { readonly add: Lists[Name]; readonly remove: Lists[Name] },
): Change {
  const key = (entry: unknown) => JSON.stringify(entry);
  const removed = new Set(remove.map(key));
  const added = new Set(add.map(key));
  return {
    settings: (now) => ({
      [name]: [
        ...(now[name] as readonly unknown[]).filter((each) => !removed.has(key(each)) && !added.has(key(each))),
        ...add,
      ],
    }),
  };
}

export interface Changes {
  /** `onSettled` is called when the change is made or was refused. */
  readonly run: (change: Change, back: Change, onSettled?: () => void) => void;
  /** Null where there is nothing to take back, or to do again. */
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  readonly isSaving: boolean;
  readonly error: Error | null;
}

/** Changes of a timeline, one after the other, each shown at once and one step to undo. */
export function useChanges(id: string): Changes {
  const queries = useQueryClient();
  const [past, setPast] = useState<readonly Step[]>([]);
  const [future, setFuture] = useState<readonly Step[]>([]);
  const { queryKey: timelineKey } = timelineQuery(id);
  const { queryKey: milestonesKey } = milestonesQuery(id);
  const milestoneOf = (milestoneId: string, change: (before: Milestone) => Milestone) =>
    queries.setQueryData<Milestone[]>(milestonesKey, (all) =>
      all?.map((each) => (each.id === milestoneId ? change(each) : each)),
    );
  const mutation = useMutation({
    scope: { id: `timeline ${id}` },
    onMutate: async ({ change }: Variables) => {
      await Promise.all([timelineKey, milestonesKey].map((queryKey) => queries.cancelQueries({ queryKey })));
      if ("fields" in change) milestoneOf(change.milestoneId, (before) => ({ ...before, ...change.fields }));
      else
        queries.setQueryData<Timeline>(timelineKey, (now) => now && ({ ...now, ...change.settings(now) } as Timeline));
    },
    mutationFn: async ({ change }) => {
      if ("fields" in change) {
        const params = { id, milestoneId: change.milestoneId };
        const { milestone } = (await api.updateMilestone({ params, body: change.fields })).data;
        milestoneOf(change.milestoneId, () => milestone);
        return;
      }
      const now = (await api.getTimeline({ params: { id } })).data.timeline;
      const { timeline } = (await api.updateTimeline({ params: { id }, body: change.settings(now) })).data;
      queries.setQueryData<Timeline>(timelineKey, timeline);
    },
    onSuccess: (_, { onDone }) => onDone(),
    // Due dates decide who waits for whom, and everything decides about dates.
    onSettled: (_, error, { onSettled }) => {
      void queries.invalidateQueries({ queryKey: keys.estimation(id) });
      void queries.invalidateQueries({ queryKey: milestonesKey });
      if (error !== null) void queries.invalidateQueries({ queryKey: timelineKey });
      onSettled?.();
    },
  });
  const last = past.at(-1);
  const next = future.at(-1);
  return {
    run: (change, back, onSettled) =>
      mutation.mutate({
        change,
        onDone: () => {
          setPast((steps) => [...steps, { change, back }]);
          setFuture([]);
        },
        onSettled,
      }),
    undo:
      last && !mutation.isPending
        ? () =>
            mutation.mutate({
              change: last.back,
              onDone: () => {
                setPast((steps) => steps.slice(0, -1));
                setFuture((steps) => [...steps, last]);
              },
            })
        : null,
    redo:
      next && !mutation.isPending
        ? () =>
            mutation.mutate({
              change: next.change,
              onDone: () => {
                setFuture((steps) => steps.slice(0, -1));
                setPast((steps) => [...steps, next]);
              },
            })
        : null,
    isSaving: mutation.isPending,
    error: mutation.error,
  };
}

/** Takes changes back and does them again by the usual keys, unless something is typed. */
export function useUndoKeys({ undo, redo }: Changes): void {
  const press = useStable((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (!(ctrlKey || metaKey) || altKey || event.defaultPrevented) return;
    if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const step = key === "z" ? (shiftKey ? redo : undo) : key === "y" ? redo : null;
    if (!step) return;
    event.preventDefault();
    step();
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [press]);
}
