import type { Stage } from "./stage.ts";

/** Deliveries without a request under way, each with the number of its last request at that time. */
export type Settled = ReadonlyMap<string, number>;

/**
 * Records what was under way at each fault: sent, but without a stored outcome. Only that may be sent again: every fault
 * allows one more request of each such delivery.
 */
export interface UnderWay {
  /** Finds the deliveries that have ended, or wait for their next attempt. */
  settled(): Promise<Settled>;
  /** Records a fault at which everything received since the previous fault was under way, except `settled`. */
  note(settled: Settled): void;
  /** Records a fault at which exactly these were under way. */
  noteOnly(ids: readonly string[]): void;
  /** Returns how many more requests of a delivery the faults allow. */
  excused(id: string): number;
}

export function watchUnderWay({ pool, receipts }: Pick<Stage, "pool" | "receipts">): UnderWay {
  const excused = new Map<string, number>();
  let lastFault = 0;
  const noteOnly = (ids: readonly string[]): void => {
    for (const id of ids) excused.set(id, (excused.get(id) ?? 0) + 1);
  };
  const received = () => [...receipts.byId].filter(([, { last }]) => last > lastFault);
  return {
    async settled() {
      const given = received().map(([id, { last, lastAt }]) => ({ id, last, last_at: lastAt }));
      const { rows } = await pool.query<{ id: string; last: number }>(
        `select id, last from json_to_recordset($1) as r(id text, last int, last_at timestamptz)
         join webhook_deliveries d using (id)
         where d.completed_at is not null or d.next_attempt_at > r.last_at`,
        [JSON.stringify(given)],
      );
      return new Map(rows.map(({ id, last }) => [id, last]));
    },
    note(settled) {
      noteOnly(received().flatMap(([id, { last }]) => (settled.get(id) === last ? [] : [id])));
      lastFault = receipts.requests();
    },
    noteOnly,
    excused: (id) => excused.get(id) ?? 0,
  };
}
