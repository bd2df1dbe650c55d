import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";
import { fail } from "./failure.ts";

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can serve, that is the database answers (its migrations were
 * applied before the server began to listen).
 */
export function mountProbes(app: FastifyInstance, { db }: Pick<Services, "db">): void {
  let asking: Promise<unknown> | null = null;
  // Nobody has to sign in to ask, so all who do at the same time share one query.
  const ask = () => {
    asking ??= db.execute(sql`select 1`).finally(() => {
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
