import {
  type ExtractTablesWithRelations,
  fillPlaceholders,
  is,
  Placeholder,
  type Query,
  type SQLWrapper,
} from "drizzle-orm";
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT, NodePgSession } from "drizzle-orm/node-postgres";
import { type PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Logger } from "pino";
import { limits } from "../../contract/limits.ts";
import { currentDeadline, DeadlineExceeded } from "../platform/deadline.ts";
import { isQueryTimeout } from "./failures.ts";

/** The pool as Drizzle: a query takes any free connection. */
export type Database = NodePgDatabase & { readonly $client: pg.Pool | pg.PoolClient };

/** The pool or a transaction, for functions that run queries. */
export type Queryable = PgDatabase<NodePgQueryResultHKT>;

const dialect = new PgDialect({ casing: "snake_case" });

/** Drizzle over a pool or a connection; columns are snake_case in the database. */
export function drizzleOver(client: pg.Pool | pg.PoolClient): Database {
  const db = drizzle(client, { casing: "snake_case" });
  return client instanceof pg.Pool ? Object.assign(db, { transaction: transactionOver(client, () => db) }) : db;
}

/** No schema for Drizzle's relational queries. */
type None = Record<string, never>;

/** Called with the pool, and with a connection to use at once, which is free when it resolves. */
type AfterCommit = (pool: Database, connection: pg.Pool | pg.PoolClient) => Promise<unknown>;

/** What is to be done after the commit of transactions that are open. */
const afterCommits = new WeakMap<Queryable, Set<AfterCommit>>();

/**
 * Calls `action` once the transaction `db` has committed, and never if it has not; the same action once however often it is
 * asked for. Nobody waits for it. Outside of a transaction it is called at once.
 */
export function afterCommit(db: Queryable, action: AfterCommit): void {
  const actions = afterCommits.get(db);
  if (actions) actions.add(action);
  else if ("$client" in db) void action(db as Database, (db as Database).$client).catch(() => {});
}

/**
 * Like Drizzle's own function, with three corrections. Drizzle's never gives back a connection that broke before `begin`,
 * so that a few outages would use up the pool; it hides the original error behind the error of the rollback; and after a
 * query that timed out it would send the rollback behind that query. A transaction whose request was given up meanwhile
 * is not committed.
 */
const transactionOver =
  (pool: pg.Pool, over: () => Database): Database["transaction"] =>
  async (work, config) => {
    refuseAfterDeadline();
    const client = await pool.connect();
    let fault: { readonly error: unknown } | undefined;
    const actions = new Set<AfterCommit>();
    let isHeld = true;
    const release = (isBroken: boolean) => {
      if (isHeld) client.release(isBroken);
      isHeld = false;
    };
    try {
      const done = await new NodePgSession<None, ExtractTablesWithRelations<None>>(
        client,
        dialect,
        undefined,
      ).transaction(async (tx) => {
        afterCommits.set(tx, actions);
        try {
          const result = await work(tx);
          refuseAfterDeadline();
          return result;
        } catch (error) {
          fault = { error };
          if (isQueryTimeout(error)) release(true);
          throw error;
        }
      }, config);
      // On this connection: others of the pool may be asked for by many who came earlier.
      const following = Promise.all([...actions].map((action) => action(over(), client)));
      if (actions.size === 0) release(false);
      else
        void following.then(
          () => release(false),
          () => release(true),
        );
      return done;
    } catch (error) {
      // Where `begin`, `commit` or `rollback` failed, nobody knows the state of the connection.
      release(error !== fault?.error);
      throw fault ? fault.error : error;
    }
  };

function refuseAfterDeadline(): void {
  if (currentDeadline()?.isOver) throw new DeadlineExceeded("the request was given up");
}

/**
 * Prepares what `select` returns, once per connection, for paths so hot that Drizzle's row mapping matters.
 * pg's own parsers read the values, except instants; `names` are the names of the selected columns, in order. Only for
 * columns without their own mapping.
 */
export function prepareRows<R>(
  db: Database,
  name: string,
  names: readonly string[],
  select: () => SQLWrapper,
): (values?: Record<string, unknown>) => Promise<R[]> {
  // At the first use: composing a long statement takes milliseconds, which a start need not wait for.
  const prepare = () => ({ ...withParamsOnce(dialect.sqlToQuery(select().getSQL())), toRow: compileRow<R>(names) });
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (values = {}) => {
    prepared ??= prepare();
    const { text, params, toRow } = prepared;
    const config = { name, text, values: fillPlaceholders(params, values), rowMode: "array", types } as const;
    return (await db.$client.query(config)).rows.map(toRow);
  };
}

/** Returns what makes an object of values: compiled to a literal, which is many times as fast as setting fields by name. */
function compileRow<R>(names: readonly string[]): (values: readonly unknown[]) => R {
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function("values", `return { ${fields.join(", ")} };`) as (values: readonly unknown[]) => R;
}

/** pg's parsers, with a faster one for instants. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ && format !== "binary"
      ? parseInstant
      : pg.types.getTypeParser(type, format as "text"),
};

/** Reads an instant as PostgreSQL writes it; in UTC and the years 1–9999 the engine's own parser does it. */
const parseInstant = (text: string): unknown =>
  text[10] === " " && text.endsWith("+00")
    ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`)
    : pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, "text")(text);

/** The statement with one parameter for each placeholder, however often it is named: each is sent with every call. */
function withParamsOnce({ sql: text, params }: Query): { text: string; params: unknown[] } {
  const keys = params.map((param) => (is(param, Placeholder) ? `placeholder ${param.name}` : param));
  const once = [...new Set(keys)];
  const numbered = text.replace(/\$(\d+)/g, (_, number) => `$${once.indexOf(keys[Number(number) - 1]) + 1}`);
  return { text: numbered, params: once.map((key) => params[keys.indexOf(key)]) };
}

/**
 * What the connections of requests have in addition: who would wait longer for a lock gives up, as does who hears nothing
 * from a database that is paused, whose own time limits do not run meanwhile.
 */
export const forRequests = (connection: pg.PoolConfig, timeoutSeconds: number): pg.PoolConfig => ({
  lock_timeout: limits.writeWaitSeconds * 1_000,
  query_timeout: timeoutSeconds * 1_000,
  ...connection,
});

/** Returns a pool of at most `max` connections. A break of an idle connection does not end the process. */
export function createPool(connection: pg.PoolConfig, log: Logger, max = 10): pg.Pool {
  const pool = new pg.Pool({ max, connectionTimeoutMillis: 5_000, keepAlive: true, ...connection });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  // A connection that breaks in use fails its query, whose caller handles it.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.debug({ err: error }, "a database connection broke")),
  );
  return pool;
}
