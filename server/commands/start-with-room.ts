import { DISK_FULL, isLackOfRoom, StartFailure } from "../db/embedded.ts";
import { isDatabaseUnavailable, isDiskFull } from "../db/failures.ts";
import { untilThereIsRoom } from "../db/try-again.ts";
import type { OpenDatabase } from "./database.ts";

interface Waiting {
  readonly database: Pick<OpenDatabase, "where" | "lacksRoom">;
  readonly log: (line: string) => void;
  /** Resolves when there is to be no further try. */
  readonly whenOver: Promise<unknown>;
}

/**
 * Starts on a database that may lack room on its disk for what a start writes: new tables, and the notes of the worker. Then
 * it is started again until there is room, as PostgreSQL is. A PostgreSQL that ends for lack of room shows as lost connections.
 */
export function startWithRoom<T>(start: () => Promise<T>, { database, log, whenOver }: Waiting): Promise<T> {
  const work = async () => {
    try {
      return await start();
    } catch (error) {
      const isFull = isDiskFull(error) || (isDatabaseUnavailable(error) && (await database.lacksRoom()));
      if (!isFull) throw error;
      throw new StartFailure(`cannot write to ${database.where}: ${DISK_FULL} (${reasonOf(error)})`, { cause: error });
    }
  };
  const mayWait = (reason: Error) => isLackOfRoom(reason) || isDatabaseUnavailable(reason);
  return untilThereIsRoom(work, { mayWait, log, whenOver });
}

/** What the database said; Drizzle's own message has the whole statement. */
function reasonOf(error: unknown): string {
  const { message } = (error instanceof Error && error.cause instanceof Error ? error.cause : error) as Error;
  return message.split("\n")[0] ?? "";
}
