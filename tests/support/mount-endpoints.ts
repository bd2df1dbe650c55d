import type { Endpoint } from "../../contract/endpoint.ts";
import { createKeyVerifier } from "../../server/features/api-keys/index.ts";
import { createSessionVerifier } from "../../server/features/auth/index.ts";
import { estimationLookUp, type ReadableEstimation } from "../../server/features/estimations/index.ts";
import { createKnownCredentials } from "../../server/http/callers/rate-limit.ts";
import type { Handlers } from "../../server/http/handler.ts";
import { createKeyedLock } from "../../server/http/keyed-lock.ts";
import { mount } from "../../server/http/mount.ts";
import { createServer } from "../../server/http/server.ts";
import { steps } from "../../server/http/steps/index.ts";
import { validation } from "../../server/http/validation/validation.ts";
import { every, systemClock } from "../../server/platform/clock.ts";
import type { Services } from "../../server/services/index.ts";

/**
 * Serves a table of endpoints that are not in the contract, on the real database and through the real mount. Returns
 * its address, and what stops it.
 */
export async function mountEndpoints<T extends Record<string, Endpoint>>(
  services: Services,
  table: T,
  handlers: Handlers<T, ReadableEstimation>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { app, rateLimit, counters, admit } = createServer(services);
  const keys = createKeyVerifier(services);
  const mounting = {
    services,
    verifiers: { session: createSessionVerifier(services), key: keys.read },
    rateLimit,
    admit,
    knownCredentials: createKnownCredentials(services.clock),
    lock: createKeyedLock(services.clock),
    validation,
    counters,
    estimations: estimationLookUp,
    countWaiting: async () => 0,
  };
  mount(app, table, handlers, mounting, steps);
  const stop = async () => {
    // As the service does: a connection that was busy when the server closed would stay open.
    const stopSweeping = every(systemClock, 50, async () => app.server.closeIdleConnections());
    await app.close().finally(stopSweeping);
    await keys.stop();
  };
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), stop };
}
