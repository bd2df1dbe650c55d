import { createTurns, Overloaded, type TakeTurn } from "../platform/turns.ts";
import { fail } from "./failure.ts";

/** Writes to one record that may wait in this process; more are refused. */
const WAITING_MAX = 200;

/**
 * Runs the writes to one record one after the other, in the order of coming, before they take a connection: they would
 * wait for the record's lock all the same, but each with a connection that other requests then lack. Refuses (503) where
 * too many wait. Locks keep writes of several processes apart; these turns only save connections.
 */
export function createTurnsByRecord(): <R>(record: string, work: () => Promise<R>) => Promise<R> {
  const queues = new Map<string, { takeTurn: TakeTurn; users: number }>();
  return async (record, work) => {
    const queue = queues.get(record) ?? { takeTurn: createTurns({ atOnce: 1, waitingMax: WAITING_MAX }), users: 0 };
    queues.set(record, queue);
    queue.users += 1;
    try {
      return await queue.takeTurn(work);
    } catch (error) {
      if (error instanceof Overloaded) fail("service_unavailable");
      throw error;
    } finally {
      queue.users -= 1;
      if (queue.users === 0) queues.delete(record);
    }
  };
}
