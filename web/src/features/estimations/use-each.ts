import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { hasResponse, isPassing } from "../../api/failure.ts";

interface Failed {
  readonly estimation: Estimation;
  readonly error: unknown;
}

/** What became of several estimations with which the same was to be done. */
export interface Outcome {
  readonly done: readonly Estimation[];
  /** Those of which the service refused it. */
  readonly failed: readonly Failed[];
  /** Those of which it was not tried, or may not have been done, … */
  readonly left: readonly Estimation[];
  /** … because of this; null: it was cancelled, or nothing is left. */
  readonly stoppedBy: unknown;
}

interface Run<Given> {
  readonly all: readonly Estimation[];
  readonly given: Given;
}

/** Something that is done with several estimations. */
export interface Each<Given> {
  /** How many of them are decided, while it is being done. */
  readonly progress: { readonly decided: number; readonly of: number } | null;
  readonly outcome: Outcome | undefined;
  /** What it was last done with. */
  readonly given: Given | undefined;
  readonly start: (all: readonly Estimation[], given: Given) => void;
  /** Does it again for those of which it was not done. */
  readonly retry: () => void;
  readonly cancel: () => void;
  /** Forgets the outcome. */
  readonly reset: () => void;
}

/** Whether the next estimation would fail for the same reason: no connection, too many requests, or what was asked itself. */
const isOfAll = (error: unknown): boolean =>
  !hasResponse(error) || isPassing(error) || error.status === 400 || error.status === 429 || error.status === 401;

interface Work<Given> {
  readonly each: (estimation: Estimation, given: Given) => Promise<unknown>;
  /** What to do at the end. */
  readonly finish?: (outcome: Outcome, given: Given) => Promise<void>;
  /** What of that which was read is then read again. */
  readonly changes: readonly QueryKey[];
}

/** Does something for one estimation after the other, until the page is left. A refusal of one leaves the others as they are. */
export function useEach<Given>({ each, finish, changes }: Work<Given>): Each<Given> {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Each<Given>["progress"]>(null);
  const isCancelled = useRef(false);
  useEffect(() => {
    isCancelled.current = false;
    return () => {
      isCancelled.current = true;
    };
  }, []);
  const { mutate, data, variables, reset } = useMutation({
    mutationFn: async ({ all, given }: Run<Given>): Promise<Outcome> => {
      const done: Estimation[] = [];
      const failed: Failed[] = [];
      const stopped = (stoppedBy: unknown) => ({
        done,
        failed,
        left: all.slice(done.length + failed.length),
        stoppedBy,
      });
      isCancelled.current = false;
      let outcome: Outcome | null = null;
      for (const estimation of all) {
        if (isCancelled.current) break;
        setProgress({ decided: done.length + failed.length, of: all.length });
        try {
          await each(estimation, given);
          done.push(estimation);
        } catch (error) {
          if (isOfAll(error)) outcome = stopped(error);
          else failed.push({ estimation, error });
        }
        if (outcome) break;
      }
      outcome ??= stopped(null);
      try {
        await finish?.(outcome, given);
      } catch (error) {
        return { done: [], failed, left: [...done, ...outcome.left], stoppedBy: error };
      }
      return outcome;
    },
    onSettled: () => {
      setProgress(null);
      for (const queryKey of changes) void queries.invalidateQueries({ queryKey });
    },
  });
  const start = (all: readonly Estimation[], given: Given) => mutate({ all, given });
  return {
    progress,
    outcome: progress ? undefined : data,
    given: variables?.given,
    start,
    retry: () => {
      if (!data || !variables) return;
      start([...data.failed.map(({ estimation }) => estimation), ...data.left], variables.given);
    },
    cancel: () => {
      isCancelled.current = true;
    },
    reset,
  };
}
