import type pg from "pg";
import type { Config } from "./config.ts";
import type { Secrets } from "./secrets.ts";

/** What a thread receives at its start. */
export interface ThreadData {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly secrets: Secrets;
  readonly logLevel: string;
}

/** Database connections of a thread: one for the transaction of its request, one for what is done beside it. */
export const THREAD_CONNECTIONS = 2;
