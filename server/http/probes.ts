import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { pause, systemClock } from "../platform/clock.ts";
import type { Services } from "../services/index.ts";
import { fail } from "./failure.ts";

/** A dead connection must not delay later probes. */
const TIMEOUT_MS = 5_000;

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can serve, which means that the database responds (its
 * migrations were applied before the server began to listen) and that it was not asked to stop.
 */
export function mountProbes(app: FastifyInstance, { pool }: Pick<Services, "pool">, timeoutMs = TIMEOUT_MS): void {
  let asking: Promise<unknown> | null = null;
  // The probe needs no sign-in, so simultaneous probes share one query.
  const ask = () => {
    asking ??= Promise.race([
      pool.execute(sql`select 1`),
      pause(systemClock, timeoutMs).then(() => fail("service_unavailable")),
    ]).finally(() => {
      asking = null;
    });
    return asking;
  };
  let isStopping = false;
  app.addHook("preClose", (done) => {
    isStopping = true;
    done();
  });
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    if (isStopping) fail("service_unavailable");
    await ask().catch(() => fail("service_unavailable"));
    return { status: "ready" };
  });
}
