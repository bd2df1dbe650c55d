import type pg from "pg";
import type { Config } from "./config.ts";
import type { Secrets } from "./secrets.ts";

/** What a thread is given at its start. */
export interface ThreadData {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly secrets: Secrets;
  readonly logLevel: string;
}

/** Database connections of a thread, and so requests that it works on at the same time. */
export const THREAD_CONNECTIONS = 3;
