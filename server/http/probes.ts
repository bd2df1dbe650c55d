import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";
import { fail } from "./failure.ts";

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can serve, that is the database answers (its migrations were
 * applied before the server began to listen).
 */
export function mountProbes(app: FastifyInstance, { db }: Pick<Services, "db">): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    try {
      await db.execute(sql`select 1`);
    } catch {
      fail("service_unavailable");
    }
    return { status: "ready" };
  });
}
