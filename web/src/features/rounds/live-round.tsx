import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { follow } from "../live/stream.ts";
import { roundQuery } from "./queries.ts";

/** Reads a round again as soon as somebody has answered, or it was revealed, which may happen by itself. Renders nothing. */
export function LiveRound({ id, roundId }: { readonly id: string; readonly roundId: string }) {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = roundQuery(id, roundId);
    const reload = () => void queries.invalidateQueries({ queryKey, exact: true });
    return follow(id, {
      changed({ type, changes = [], ...event }) {
        // Without changes, something may have been missed.
        const isOfRounds = changes.length === 0 || changes.some(({ kind }) => kind.startsWith("round."));
        if (type === "answered" ? event.roundId === roundId : isOfRounds) reload();
      },
    });
  }, [queries, id, roundId]);
  return null;
}
