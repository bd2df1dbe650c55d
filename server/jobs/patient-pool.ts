import pg from "pg";
import type { Logger } from "pino";
import { createPool } from "../db/database.ts";
import { isDatabaseUnavailable } from "../db/failures.ts";
import { sleep } from "../platform/clock.ts";

const RETRY_MS = 200;

/**
 * Jobs are taken in the order of an index. The planner, which knows the queue as it was a while ago, would rather read
 * and sort all that wait, again for every batch that is taken.
 */
const IN_INDEX_ORDER = "set enable_sort = off";

/** Nothing reads the times of a job, so they are left as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.TIMESTAMPTZ ? (value: string) => value : pg.types.getTypeParser(oid, format as "text"),
};

export interface PatientPoolOptions {
  readonly connection: pg.PoolConfig;
  readonly max: number;
  readonly log: Logger;
  /** Called for every connection that broke and every statement that is run again. */
  readonly onBroken: () => void;
  /** Once it is aborted, statements that fail are neither run again nor answered. */
  readonly over: AbortSignal;
}

/**
 * The job queue's pool. The queue gives up where it cannot write down what became of a job, may then wait for ever, and
 * leaves a rejection behind that would end the process. So statements on connections that are handed out with a promise
 * wait for the database, and are run again where a connection broke under them: all that the queue sends may be run twice
 * (jobs that are taken twice are seen to by `strays.ts`). Connections asked for with a callback, to listen, are as usual.
 */
export function createPatientPool({ connection, max, log, onBroken, over }: PatientPoolOptions): pg.Pool {
  const onConnect = async (client: pg.ClientBase) => {
    await connection.onConnect?.(client);
    await client.query(IN_INDEX_ORDER);
  };
  const pool = createPool({ ...connection, types, onConnect }, log, max);
  // An error on a connection in use also fails its query; without a listener it would end the process.
  pool.on("connect", (client) =>
    client.on("error", (error) => {
      onBroken();
      log.warn({ err: error }, "a worker's database connection broke");
    }),
  );
  type Listening = Parameters<typeof pool.connect>[0];
  const connect = pool.connect.bind(pool) as { (): Promise<pg.PoolClient>; (listening: Listening): void };

  const runOnce = async (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const client = await connect();
    try {
      return await client.query(statement, values);
    } finally {
      client.release();
    }
  };
  const query = async (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    for (;;) {
      try {
        return await runOnce(statement, values);
      } catch (error) {
        if (over.aborted) return new Promise(() => {});
        if (!isDatabaseUnavailable(error)) throw error;
        onBroken();
        await sleep(RETRY_MS);
      }
    }
  };
  const patient = { query, release: () => {} };
  return Object.assign(pool, {
    connect: (listening?: Listening) => (listening ? connect(listening) : Promise.resolve(patient)),
  }) as pg.Pool;
}
