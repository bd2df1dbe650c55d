import { createTurns, Overloaded, type TakeTurn } from "../platform/turns.ts";
import { fail } from "./failure.ts";

/** Writes to one record that may wait in this process; more are refused. */
const WAITING_MAX = 200;

/**
 * Runs the writes to one record one after the other, in order of arrival, before they take a connection: they would
 * wait for the record's lock anyway, but each holding a connection that other requests need. Refuses (503) if too many
 * wait. Locks separate the writes of several processes; these turns only save connections.
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
