import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { pause, systemClock } from "../platform/clock.ts";
import type { Services } from "../services.ts";
import { fail } from "./failure.ts";

/** A connection that leads nowhere any more must not hold up those who ask later. */
const TIMEOUT_MS = 5_000;

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can serve, that is the database answers (its migrations were
 * applied before the server began to listen).
 */
export function mountProbes(app: FastifyInstance, { pool }: Pick<Services, "pool">, timeoutMs = TIMEOUT_MS): void {
  let asking: Promise<unknown> | null = null;
  // Nobody has to sign in to ask, so all who do at the same time share one query.
  const ask = () => {
    asking ??= Promise.race([
      pool.execute(sql`select 1`),
      pause(systemClock, timeoutMs).then(() => fail("service_unavailable")),
    ]).finally(() => {
      asking = null;
    });
    return asking;
  };
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    await ask().catch(() => fail("service_unavailable"));
    return { status: "ready" };
  });
}
