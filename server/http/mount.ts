import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Endpoint, isRepeatable, paramsOf } from "../../contract/endpoint.ts";
import type { ErrorKey } from "../../contract/errors.ts";
import type { Database, Queryable } from "../db/database.ts";
import { retryConflicts } from "../db/failures.ts";
import { isWellFormedId } from "../platform/ids.ts";
import type { Services } from "../services.ts";
import { API_KEY_PREFIX, authorise, identify, type Verifiers } from "./actor.ts";
import { Failure, fail, failWith } from "./failure.ts";
import type { Actor, Call, Handlers, Redirect } from "./handler.ts";
import { type Claim, claim, fingerprintOf, keepAnswer, readIdempotencyKey } from "./idempotency.ts";
import type { CountRequest } from "./rate-limit.ts";
import { isStorable } from "./read-body.ts";
import { answersData, type DataEndpoint, replySchema } from "./reply-schema.ts";
import { etagOf, parseIfMatch } from "./revisions.ts";
import { createTurnsByRecord } from "./turns-by-record.ts";
import type { Check, Validation } from "./validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** The error that stands for every fault of the body, where it is not `validation_failed`. */
    invalidBody?: ErrorKey;
  }
}

/** What mounting needs beside the rows and their handlers. */
export interface Mounting {
  readonly services: Services;
  readonly verifiers: Verifiers;
  readonly countRequest: CountRequest;
  readonly validation: Validation;
  /** Judges `data` of every answer by its schema before it is sent; the tests do, because serialising drops what is undeclared. */
  readonly checkReply?: (id: string, endpoint: DataEndpoint, data: unknown) => void;
}

/** What any handler answers: a redirect has a location, everything else has data. */
interface Answered extends Partial<Redirect> {
  readonly data?: unknown;
  readonly revision?: number | null;
}

type AnyHandler = (call: Call<Endpoint>) => Promise<Answered>;

/** Makes a route of every row: credential, rate limit and scope before the body is read, then validation, then the handler. */
export function mount<T extends Record<string, Endpoint>>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  mounting: Mounting,
): void {
  for (const [id, endpoint] of Object.entries(table)) {
    const check = checksOf(endpoint, mounting.validation);
    const handler = handlers[id] as unknown as AnyHandler;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.bodyLimitBytes ? { bodyLimit: endpoint.bodyLimitBytes } : {}),
      ...(endpoint.invalidBody ? { config: { invalidBody: endpoint.invalidBody } } : {}),
      ...(answersData(endpoint) ? { schema: { response: { [endpoint.reply.status]: replySchema(endpoint) } } } : {}),
      onRequest: (request, reply) => admit(endpoint, request, reply, mounting),
      handler: async (request, reply) => {
        check(request);
        const answer = await run(endpoint, handler, request, reply, mounting.services);
        reply.code(endpoint.reply.status);
        if (!answersData(endpoint)) return redirect(reply, answer);
        mounting.checkReply?.(id, endpoint, answer.data);
        if (typeof answer.revision === "number") reply.header("etag", etagOf(answer.revision));
        return { success: true, data: answer.data };
      },
    });
  }
}

function redirect(reply: FastifyReply, { location, setCookie }: Partial<Redirect>): FastifyReply {
  reply.header("location", location);
  if (setCookie !== undefined) reply.header("set-cookie", setCookie);
  return reply.send();
}

async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  mounting: Mounting,
): Promise<void> {
  if (endpoint.access === "anyone") return mounting.countRequest(request, reply, null);
  let actor: Actor;
  try {
    actor = await identify(request.headers.authorization, mounting.verifiers);
  } catch (error) {
    await mounting.countRequest(request, reply, null);
    throw error;
  }
  await mounting.countRequest(request, reply, actor);
  authorise(actor, endpoint.access);
  request.actor = actor;
}

/** Everything about a request that needs no record: query, body, then ids that cannot exist. */
function checksOf(endpoint: Endpoint, validation: Validation): (request: FastifyRequest) => void {
  const nothing = { type: "object", properties: {}, additionalProperties: false };
  const query = validation.query(endpoint.query ?? nothing);
  const body = validation.body(endpoint.body ?? nothing);
  const needsBody = endpoint.body !== undefined && !endpoint.bodyOptional;
  const params = paramsOf(endpoint.path);
  return (request) => {
    checkQuery(request.query, query);
    checkBody(endpoint, () => {
      if (request.body !== undefined) body(request.body);
      else if (needsBody) failWith([{ path: "", message: "a JSON body is required" }]);
    });
    const given = request.params as Record<string, string>;
    for (const name of params) if (!isWellFormedId(given[name] ?? "")) fail("not_found");
  };
}

/** Runs `check`, and puts the row's own error for a body in the place of what it refuses with. */
function checkBody({ invalidBody }: Endpoint, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw invalidBody && error instanceof Failure ? new Failure(invalidBody) : error;
  }
}

function checkQuery(query: unknown, check: Check): void {
  refuseKeys(query as Record<string, unknown>);
  check(query);
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value === "string" && !isStorable(value))
      failWith([{ path: `/${name}`, message: "must not hold a NUL character" }]);
  }
}

/**
 * Addresses are kept in histories, logs and referrers: a key in one is refused without being looked at, and not repeated
 * in the answer.
 */
function refuseKeys(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const inName = name.includes(API_KEY_PREFIX);
    if (!inName && !String(value).includes(API_KEY_PREFIX)) continue;
    const message = "holds an API key, which belongs in the Authorization header only; rotate it";
    failWith([{ path: inName ? "" : `/${name}`, message }]);
  }
}

/** Calls the handler: reads on the pool, writes in a transaction of their own. */
async function run(
  endpoint: Endpoint,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  { db, clock }: Services,
): Promise<Answered> {
  const now = clock.now();
  const call = (on: Queryable) => handler(callOf(request, on, now));
  if (endpoint.method === "GET" || endpoint.transaction === false) return call(db);
  if (endpoint.readOnly) return db.transaction(call, { isolationLevel: "repeatable read", accessMode: "read only" });
  return inTurn(endpoint, request, () => write(endpoint, call, request, reply, db, now));
}

const takeTurn = createTurnsByRecord();

/** Lets writes to one record, and to what lies below it, take their turn; those to none run at once. */
function inTurn<R>({ path }: Endpoint, request: FastifyRequest, work: () => Promise<R>): Promise<R> {
  const { id } = request.params as { id?: string };
  return id === undefined ? work() : takeTurn(`${path.slice(0, path.indexOf("/:id"))}/${id}`, work);
}

/** Calls the handler in one transaction together with its idempotency record. */
async function write(
  endpoint: Endpoint,
  call: (on: Queryable) => Promise<Answered>,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Database,
  now: Date,
): Promise<Answered> {
  const idempotencyKey = isRepeatable(endpoint) ? readIdempotencyKey(request.headers["idempotency-key"]) : undefined;
  if (idempotencyKey === undefined || !request.actor) return inTransaction(db, call);
  const { userId } = request.actor;
  const fingerprint = fingerprintOf(request.method, request.url, request.body);
  const intent: Claim = { userId, key: idempotencyKey, fingerprint, now };
  return inTransaction(db, async (tx) => {
    const first = await claim(tx, intent);
    if (first) {
      reply.header("idempotent-replayed", "true");
      return first;
    }
    const answer = await call(tx);
    const kept = withoutSecrets(answer.data, endpoint.secrets ?? []);
    await keepAnswer(tx, intent, { status: endpoint.reply.status, data: kept, revision: answer.revision ?? null });
    return answer;
  });
}

const inTransaction = <R>(db: Database, work: (tx: Queryable) => Promise<R>): Promise<R> =>
  retryConflicts(() => db.transaction(work));

function withoutSecrets(data: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(data as object).filter(([name]) => !names.includes(name)));
}

function callOf(request: FastifyRequest, db: Queryable, now: Date): Call<Endpoint> {
  const { headers } = request;
  return {
    params: request.params,
    query: request.query,
    body: request.body as undefined,
    actor: request.actor,
    db,
    now,
    ifMatch: parseIfMatch(headers["if-match"]),
    requestId: request.id,
    ip: request.ip,
    userAgent: headers["user-agent"] ?? null,
    cookie: headers.cookie ?? null,
  } as Call<Endpoint>;
}
