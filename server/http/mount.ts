import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyBytesOf, bodyValuesOf, type Endpoint, methodsOf } from "../../contract/endpoint.ts";
import { limits } from "../../contract/limits.ts";
import { type Deadline, withinDeadline } from "../platform/deadline.ts";
import { whenAdmitted } from "./admission.ts";
import type { AccessedRecord } from "./callers/estimation-access.ts";
import type { Call, Handlers } from "./handler.ts";
import { respondAs } from "./response/respond.ts";
import { responseSchemas, responsesData } from "./response/response-schema.ts";
import { createStreams } from "./response/streams.ts";
import type { Check, Exchange, HandlerResult, Mounting, Next, Step, Steps } from "./steps/step.ts";

export type { Mounting };

type AnyHandler = (call: Call<Endpoint>) => Promise<HandlerResult>;

/** Makes a route for every endpoint: its steps, the handler, then the response. */
export function mount<T extends Record<string, Endpoint>, R extends AccessedRecord>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T, R>,
  mounting: Mounting<R>,
  steps: Steps,
): void {
  const { admit, services } = mounting;
  const { clock, pool, config } = services;
  const openStream = createStreams(app, clock);
  const inTime = <R>({ actor }: FastifyRequest, work: (deadline: Deadline) => Promise<R>) =>
    withinDeadline(clock, config.requestTimeoutSeconds * 1_000, work, actor?.userId);
  for (const [id, endpoint] of Object.entries(table)) {
    const handler = handlers[id] as unknown as AnyHandler;
    const handle = (exchange: Exchange) => handler(callOf(exchange));
    const stepsOf = <S>(made: readonly Step<S>[]): S[] =>
      made.map((step) => step(endpoint, mounting, handle)).filter((step) => step !== null);
    const early = stepsOf(steps.beforeBody);
    const late = stepsOf(steps.onceRead);
    const run = stepsOf(steps.aroundHandler).reduceRight<Next>(
      (next, step) => (exchange) => step(exchange, next),
      (exchange) => (exchange.finish ? exchange.finish(callOf(exchange)) : handle(exchange)),
    );
    const respond = respondAs(endpoint, mounting);
    const serve = async (request: FastifyRequest, reply: FastifyReply, deadline: Deadline, signal?: AbortSignal) => {
      // Admitted already for its body.
      deadline.leave = request.leave;
      await pass(late, request, reply);
      const response = await run({
        ...{ request, reply, body: request.body, db: pool, now: clock.now() },
        ...(signal ? { signal } : {}),
      });
      const { afterCommit } = response;
      if (!afterCommit) return response;
      return { ...response, data: await afterCommit((work) => whenAdmitted(admit, request, work)) };
    };
    app.route({
      method: [...methodsOf(endpoint)],
      url: endpoint.path,
      bodyLimit: bodyBytesOf(endpoint),
      config: {
        endpoint: id,
        bodyValues: bodyValuesOf(endpoint),
        ...(endpoint.secrets || endpoint.path.startsWith("/api/auth/") ? { keepsLength: true } : {}),
      },
      schema: { response: responsesData(endpoint) ? responseSchemas(endpoint) : {} },
      onRequest: (request, reply) => inTime(request, () => pass(early, request, reply)),
      handler: async (request, reply) => {
        const seconds = secondsOf(endpoint);
        const signal = seconds === null ? undefined : openStream(request, reply, seconds);
        const response = await inTime(request, (deadline) => {
          if (endpoint.endsWithClient) endWithClient(reply, deadline);
          return serve(request, reply, deadline, signal).finally(() => {
            request.computedMs += deadline.computedMs;
          });
        });
        return respond(request, reply, response, signal);
      },
    });
  }
}

/** Ends the work for a request when its connection is closed before the response is sent. */
function endWithClient({ raw }: FastifyReply, deadline: Deadline): void {
  if (raw.socket?.destroyed) deadline.end();
  else raw.once("close", () => raw.writableFinished || deadline.end());
}

/** How long a response of this endpoint may go on, if it is a stream. */
function secondsOf({ response }: Endpoint): number | null {
  return "stream" in response ? limits.eventStreamSeconds : null;
}

async function pass(checks: readonly Check[], ...exchange: Parameters<Check>): Promise<void> {
  for (const check of checks) {
    const checked = check(...exchange);
    // Most checks have nothing to wait for, and an `await` would cost every request.
    if (checked) await checked;
  }
}

function callOf({ request, body, db, now, signal, estimation }: Exchange): Call<Endpoint> {
  const { headers } = request;
  return {
    params: request.params,
    query: request.query,
    body,
    actor: request.actor,
    db,
    now,
    signal,
    estimation,
    requestId: request.id,
    ip: request.clientAddress,
    userAgent: headers["user-agent"] ?? null,
    cookie: headers.cookie ?? null,
  } as Call<Endpoint>;
}
