import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { startEmbeddedPostgres } from "../server/db/embedded.ts";

/** A PostgreSQL of its own for one benchmark, with the settings of production. */
export async function benchDatabase(): Promise<{ dataDir: string; connection: pg.PoolConfig; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  return {
    dataDir,
    connection: postgres.connection,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};
