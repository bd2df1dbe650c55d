import type { Stage } from "./stage.ts";

/** Deliveries of which nothing is under way, each with the number of its last request when that was found out. */
export type Settled = ReadonlyMap<string, number>;

/**
 * Keeps account of what was under way at each fault: sent, and not written down. So much may be sent again, and nothing
 * else: every fault allows one more request of each such delivery.
 */
export interface UnderWay {
  /** Looks which deliveries have ended, or wait for a time after their last request. */
  settled(): Promise<Settled>;
  /** A fault: what was received since the fault before was under way, but for what is `settled`. */
  note(settled: Settled): void;
  /** A fault at which just these were under way. */
  noteOnly(ids: readonly string[]): void;
  /** Requests of a delivery that the faults excuse. */
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
