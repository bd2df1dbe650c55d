import pg from "pg";
import type { Logger } from "pino";
import { createPool } from "../db/database.ts";
import { isDatabaseUnavailable } from "../db/failures.ts";
import { sleep } from "../platform/clock.ts";

const RETRY_MS = 200;

/**
 * Makes the queue take jobs in the order of an index. The planner, whose statistics of the queue are old, would
 * otherwise read and sort all waiting jobs for every batch.
 */
const IN_INDEX_ORDER = "set enable_sort = off";

/** Nobody reads the times of a job, so they are left as text. */
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
  /** Once it is aborted, failed statements are neither run again nor answered. */
  readonly over: AbortSignal;
}

/**
 * Returns the job queue's pool. If the queue cannot write the outcome of a job, it gives up, may then wait for ever,
 * and leaves a rejection behind that would end the process. So statements on connections that are handed out with a
 * promise wait for the database, and run again if their connection broke: all statements of the queue may run twice
 * (`strays.ts` handles jobs that are taken twice). Connections requested with a callback, to listen, behave as usual.
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
