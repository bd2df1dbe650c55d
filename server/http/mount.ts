import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyBytesOf, bodyValuesOf, type Endpoint, methodsOf, successesOf } from "../../contract/endpoint.ts";
import { withinDeadline } from "../platform/deadline.ts";
import type { AccessedRecord } from "./estimation-access.ts";
import type { Call, Handlers } from "./handler.ts";
import { answersData, replyDataSchema, replySchema } from "./reply-schema.ts";
import { etagOf, hasAlready } from "./revisions.ts";
import { aroundHandler, beforeBody, onceRead } from "./steps/index.ts";
import type { Answered, Check, Exchange, Mounting, Next, Step } from "./steps/step.ts";

export type { Mounting };

type AnyHandler = (call: Call<Endpoint>) => Promise<Answered>;

/** Makes a route for every row: the steps of `steps/index.ts`, which include the handler, then the response. */
export function mount<T extends Record<string, Endpoint>, R extends AccessedRecord>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T, R>,
  mounting: Mounting<R>,
): void {
  const { clock, pool, config } = mounting.services;
  const inTime = <R>(work: () => Promise<R>) => withinDeadline(clock, config.requestTimeoutSeconds * 1_000, work);
  for (const [id, endpoint] of Object.entries(table)) {
    const handler = handlers[id] as unknown as AnyHandler;
    const stepsOf = <S>(steps: readonly Step<S>[]): S[] =>
      steps.map((step) => step(endpoint, mounting)).filter((step) => step !== null);
    const early = stepsOf(beforeBody);
    const late = stepsOf(onceRead);
    const run = stepsOf(aroundHandler).reduceRight<Next>(
      (next, step) => (exchange) => step(exchange, next),
      (exchange) => handler(callOf(exchange)),
    );
    const answering = async (request: FastifyRequest, reply: FastifyReply) => {
      await pass(late, request, reply);
      return await run({ request, reply, body: request.body, db: pool, now: clock.now() });
    };
    const successes = answersData(endpoint) ? successesOf(endpoint.reply) : [];
    app.route({
      method: [...methodsOf(endpoint)],
      url: endpoint.path,
      bodyLimit: bodyBytesOf(endpoint),
      config: {
        bodyValues: bodyValuesOf(endpoint),
        ...(endpoint.invalidBody ? { invalidBody: endpoint.invalidBody } : {}),
      },
      schema: {
        response: Object.fromEntries(successes.map((success) => [success.status, replySchema(endpoint, success)])),
      },
      onRequest: (request, reply) => inTime(() => pass(early, request, reply)),
      handler: async (request, reply) => {
        const answer = await inTime(() => answering(request, reply).finally(() => request.heldBody?.release()));
        const success = successes.find(({ status }) => status === answer.status) ?? successes[0];
        if (!success) return redirect(reply.code(endpoint.reply.status), answer);
        reply.code(success.status);
        mounting.checkReply?.(id, replyDataSchema(endpoint, success), answer.data);
        const created = "created" in success ? success.created : undefined;
        if (created !== undefined) reply.header("location", locationOf(created, request.params, answer.data));
        if (typeof answer.revision === "number") {
          reply.header("etag", etagOf(answer.revision));
          if (endpoint.method === "GET" && hasAlready(request.headers["if-none-match"], answer.revision)) {
            return reply.code(304).send();
          }
        }
        return { success: true, data: answer.data };
      },
    });
  }
}

async function pass(checks: readonly Check[], ...exchange: Parameters<Check>): Promise<void> {
  for (const check of checks) {
    const checked = check(...exchange);
    // Most checks have nothing to wait for, and an `await` would cost every request.
    if (checked) await checked;
  }
}

/** The path of what was made: the ids of the request, and for the parameter that it lacks the id of the first record. */
function locationOf(path: string, params: unknown, data: unknown): string {
  const given = params as Readonly<Record<string, string>>;
  const [made] = Object.values(data as Readonly<Record<string, { readonly id: string }>>);
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => given[name] ?? made?.id ?? "");
}

function redirect(reply: FastifyReply, { location, setCookie }: Answered): FastifyReply {
  reply.header("location", location);
  if (setCookie !== undefined) reply.header("set-cookie", setCookie);
  return reply.send();
}

function callOf({ request, body, db, now, estimation }: Exchange): Call<Endpoint> {
  const { headers } = request;
  return {
    params: request.params,
    query: request.query,
    body,
    actor: request.actor,
    db,
    now,
    estimation,
    requestId: request.id,
    ip: request.clientAddress,
    userAgent: headers["user-agent"] ?? null,
    cookie: headers.cookie ?? null,
  } as Call<Endpoint>;
}
