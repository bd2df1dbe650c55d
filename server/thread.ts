/**
 * A thread that runs requests on large trees, with connections of its own. It has the same routes as the process, but no
 * port: its requests come from the process, which has checked their callers.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { parentPort, workerData } from "node:worker_threads";
import type { InjectOptions } from "fastify";
import { createPool, drizzleOver } from "./db/database.ts";
import { recordCall } from "./features/activity/index.ts";
import { estimationLookUp } from "./features/estimations/index.ts";
import { heavyHandlers, heavyTables } from "./heavy-rows.ts";
import { join } from "./http/body/blocks.ts";
import { unpark } from "./http/body/parking.ts";
import type { ThreadReply, ThreadRequest } from "./http/in-thread.ts";
import { mount } from "./http/mount.ts";
import { createKeptAnswers } from "./http/rate-counter.ts";
import { createServer } from "./http/server.ts";
import { stepsInThread } from "./http/steps/index.ts";
import { validation } from "./http/validation.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { createLog } from "./platform/log.ts";
import { yieldProcessors } from "./platform/thread-priority.ts";
import type { FromThread, ToThread } from "./platform/threads.ts";
import { createServices } from "./services.ts";
import { THREAD_CONNECTIONS, type ThreadData } from "./thread-data.ts";

// With few processors, other requests go first.
yieldProcessors();

const { config, connection, secrets, logLevel } = workerData as ThreadData;
const tell = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer);
const log = createLog(logLevel, { write: (line) => tell({ line }) });

const current = new AsyncLocalStorage<ThreadRequest>();
/** A clock that stands still during a request, at the time when it arrived. */
const clock: Clock = {
  now: () => new Date(current.getStore()?.arrivedAt ?? systemClock.now()),
  after: systemClock.after,
};
const pool = createPool(connection, log, THREAD_CONNECTIONS);
const services = createServices({ config, clock, log, pool: drizzleOver(pool), secrets });
const { app } = createServer(services);
const mounting = {
  services,
  validation,
  keptAnswers: createKeptAnswers(clock),
  estimations: estimationLookUp,
  recordCall,
  estimationOf: {},
};
const takeActor = () => (request: { actor: unknown }) => {
  request.actor = current.getStore()?.actor ?? null;
};
mount(app, heavyTables, heavyHandlers(services), mounting, { beforeBody: [takeActor], ...stepsInThread });

/** Headers that the process sets itself. */
const OF_CONNECTION = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

async function answer(request: ThreadRequest): Promise<ThreadReply> {
  const { method, url, headers, body, clientAddress } = request;
  const reply = await app.inject({
    method: method as NonNullable<InjectOptions["method"]>,
    url,
    headers: { host: "thread", ...headers },
    remoteAddress: clientAddress,
    ...(body ? { payload: join(unpark(body)) } : {}),
  });
  const kept = Object.entries(reply.headers).filter(([name]) => !OF_CONNECTION.has(name));
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: new Uint8Array(reply.rawPayload),
  };
}

parentPort?.on("message", async (message: ToThread) => {
  if (message === "close") {
    await app.close();
    await pool.end();
    process.exit();
  }
  const { id, question } = message as { readonly id: number; readonly question: ThreadRequest };
  const reply = await current.run(question, () => answer(question));
  tell({ id, answer: reply }, [reply.body.buffer as ArrayBuffer]);
});
