import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { OwnPart, Round, RoundOption } from "../../../../contract/values/round.ts";
import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { currentSession, useSession } from "../../api/session.ts";
import { browserStore, type Given, Outbox, type OutboxState, onOtherTabs } from "./outbox.ts";
import { roundOptionsQuery, roundQuery } from "./queries.ts";

/** What the reader said of an option. */
export interface Answer {
  /** Null: that they cannot judge it. */
  readonly hours: ThreePoint | null;
  readonly note: string | null;
  readonly isUnsent: boolean;
}

export interface Answers {
  readonly byOption: ReadonlyMap<string, Answer>;
  readonly sending: OutboxState;
  readonly give: (given: Given) => void;
  /** Gives up what was refused. */
  readonly drop: () => void;
}

/** Of this page, by user and round: they send what waits also after it was left for another page. */
const outboxes = new Map<string, Outbox>();

/** What the reader has said in a round, sent or not. */
export function useAnswers({ id: roundId, estimationId: id }: Round, options: readonly RoundOption[]): Answers {
  const queries = useQueryClient();
  const userId = useSession()?.userId ?? "";
  const outbox = useMemo(() => {
    const name = `${userId} ${roundId}`;
    const store = async (given: readonly Given[], you: OwnPart) => {
      const byId = new Map(given.map((one) => [one.optionId, one]));
      const { queryKey } = roundOptionsQuery(id, roundId, "open");
      // What is being read may be older.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (all) =>
        all?.map((option) => {
          const one = byId.get(option.optionId);
          return one ? { ...option, yours: { hours: one.hours, note: one.note } } : option;
        }),
      );
      queries.setQueryData(roundQuery(id, roundId).queryKey, (round) => round && { ...round, you });
      // It does not wait for the reader any more.
      if (you.remaining === 0) void queries.invalidateQueries({ queryKey: keys.reviews });
      // The page hears of it in the next turn: until then the answer would be in neither place.
      await new Promise((resolve) => setTimeout(resolve));
    };
    const send = async (given: readonly Given[]) => {
      // Somebody else may have signed in meanwhile.
      if (currentSession()?.userId !== userId) throw new Error("another user is signed in");
      const params = { id, roundId };
      const estimates = given.flatMap(({ optionId, hours, note }) => (hours ? [{ optionId, ...hours, note }] : []));
      const optionIds = given.flatMap(({ optionId, hours }) => (hours ? [] : [optionId]));
      if (estimates.length > 0)
        await store(
          given.filter(({ hours }) => hours !== null),
          (await api.giveEstimates({ params, body: { estimates } })).data.you,
        );
      if (optionIds.length > 0)
        await store(
          given.filter(({ hours }) => hours === null),
          (await api.skipOptions({ params, body: { optionIds } })).data.you,
        );
      // How many have answered may have changed with it.
      void queries.invalidateQueries({ queryKey: roundQuery(id, roundId).queryKey, exact: true });
    };
    const made =
      outboxes.get(name) ?? new Outbox(browserStore(userId, roundId), send, (ms, run) => setTimeout(run, ms));
    outboxes.set(name, made);
    return made;
  }, [queries, userId, id, roundId]);
  const sending = useSyncExternalStore(outbox.subscribe, outbox.current);
  useEffect(() => {
    const flush = () => void outbox.flush();
    const leave = (event: BeforeUnloadEvent) => outbox.isAtRisk() && event.preventDefault();
    flush();
    addEventListener("online", flush);
    addEventListener("beforeunload", leave);
    const end = onOtherTabs(userId, roundId, (isGone) => {
      outbox.reread();
      // It was sent there.
      if (isGone) void queries.invalidateQueries({ queryKey: roundOptionsQuery(id, roundId, "open").queryKey });
    });
    return () => {
      end();
      removeEventListener("online", flush);
      removeEventListener("beforeunload", leave);
    };
  }, [outbox, queries, userId, id, roundId]);
  const byOption = useMemo(() => {
    const said = new Map<string, Answer>();
    for (const { optionId, yours } of options) if (yours) said.set(optionId, { ...yours, isUnsent: false });
    for (const [optionId, { hours, note }] of sending.unsent) said.set(optionId, { hours, note, isUnsent: true });
    return said;
  }, [options, sending.unsent]);
  return { byOption, sending, give: (given) => outbox.put(given), drop: () => outbox.drop() };
}
