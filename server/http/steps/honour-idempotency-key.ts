import { isMainThread } from "node:worker_threads";
import { type Endpoint, isRepeatable } from "../../../contract/endpoint.ts";
import { limits } from "../../../contract/limits.ts";
import { fail } from "../failure.ts";
import { keepAnswer, keyUseOf, takeKey } from "../idempotency.ts";
import { leaveForThread } from "../in-thread.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Does the work of an `Idempotency-Key` once: returns the first response, or takes the key and stores the response. Of a
 * large response, only the smaller fields are stored; a replay reads the others again.
 */
export const honourIdempotencyKey: Step<Wrap> = (endpoint, { keptAnswers }) => {
  if (!isRepeatable(endpoint) || !isWrite(endpoint)) return null;
  const { reply: declared, secrets = [], heavy, rereads } = endpoint;
  const lacks = lackingIn(endpoint);
  return async (exchange, next) => {
    const { reply, db, keyIsTaken } = exchange;
    const use = keyUseOf(exchange);
    if (!use) return next(exchange);
    const first = keyIsTaken ? null : await takeKey(db, use);
    if (first) {
      reply.header("idempotent-replayed", "true");
      if (!lacks(first.data)) return first;
      if (!rereads) fail("answer_not_kept");
      if (heavy && isMainThread) leaveForThread();
      return next({ ...exchange, kept: first.data as object });
    }
    const answer = await next(exchange);
    const room = (await keptAnswers.take(use.userId)).allowed ? limits.replayBytes : 0;
    const { kept, bytes } = smallFields(answer.data as object, secrets, room);
    await keptAnswers.charge(use.userId, bytes);
    await keepAnswer(db, use, {
      status: answer.status ?? declared.status,
      data: kept,
      revision: answer.revision ?? null,
    });
    return answer;
  };
};

/** Returns whether `data` of a stored answer lacks a field that every answer of the row has, secrets aside. */
function lackingIn({ reply, secrets = [] }: Endpoint): (data: unknown) => boolean {
  const required = "data" in reply ? ((reply.data as { required?: readonly string[] }).required ?? []) : [];
  const stored = required.filter((name) => !secrets.includes(name));
  return (data) => stored.some((name) => !(name in (data as object)));
}

/** Returns the fields of `data` that fit into `room` bytes of JSON together, the smallest first; never a secret. */
function smallFields(data: object, secrets: readonly string[], room: number): { kept: object; bytes: number } {
  const fields = Object.entries(data)
    .filter(([name]) => !secrets.includes(name))
    .map(([name, value]) => ({ name, value, bytes: Buffer.byteLength(JSON.stringify(value) ?? "") }))
    .sort((a, b) => a.bytes - b.bytes);
  let bytes = 0;
  const fitting = fields.filter((field) => {
    bytes += field.bytes;
    return bytes <= room;
  });
  const kept = Object.fromEntries(fitting.map(({ name, value }) => [name, value]));
  return { kept, bytes: fitting.reduce((sum, field) => sum + field.bytes, 0) };
}
