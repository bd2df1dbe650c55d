import { type Endpoint, isRepeatable } from "../../../contract/endpoint.ts";
import { fail } from "../failure.ts";
import { keepResponse, keyUseOf, REPLAY_BYTES, replayBytesOf, type StoredResponse, takeKey } from "../idempotency.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Does the work of an `Idempotency-Key` once: returns the first response, or takes the key and stores the response. Of a
 * response that is too large to store, a replay tells what was stored: its status, ids, small fields and entity tag.
 */
export const honourIdempotencyKey: Step<Wrap> = (endpoint, { counters }) => {
  if (!isRepeatable(endpoint) || !isWrite(endpoint)) return null;
  const replayBytes = replayBytesOf(counters);
  const { response: declared, secrets = [] } = endpoint;
  const lacks = lackingIn(endpoint);
  return async (exchange, next) => {
    const { reply, db, keyIsTaken } = exchange;
    const use = keyUseOf(exchange);
    if (!use) return next(exchange);
    const first = keyIsTaken ? null : await takeKey(db, use);
    if (first) {
      reply.header("idempotent-replayed", "true");
      return lacks(first.data) ? fail("response_not_stored", { details: detailsOf(first) }) : first;
    }
    const response = await next(exchange);
    const room = replayBytes.take(use.userId).allowed ? REPLAY_BYTES : 0;
    const { stored, bytes } = storedOf(response.data as object, secrets, room);
    replayBytes.charge(use.userId, bytes);
    await keepResponse(db, use, {
      status: response.status ?? declared.status,
      data: stored,
      revision: response.revision ?? null,
    });
    return response;
  };
};

const detailsOf = ({ status, data, revision }: StoredResponse) => ({
  ...{ status, etag: revision === null ? null : `"${revision}"` },
  kept: data as Record<string, unknown>,
});

/** Returns whether `data` of a stored response lacks a field that every response of the endpoint has, secrets aside. */
function lackingIn({ response, secrets = [] }: Endpoint): (data: unknown) => boolean {
  const required = "data" in response ? ((response.data as { required?: readonly string[] }).required ?? []) : [];
  const stored = required.filter((name) => !secrets.includes(name));
  return (data) => stored.some((name) => !(name in (data as object)));
}

/**
 * Returns `data` without its secrets if it fits into `room` bytes of JSON. Otherwise the fields that fit, the smallest first;
 * of records that do not, their ids.
 */
function storedOf(data: object, secrets: readonly string[], room: number): { stored: object; bytes: number } {
  const fields = Object.entries(data)
    .filter(([name]) => !secrets.includes(name))
    .map(([name, value]) => ({ name, value, bytes: bytesUpTo(room, value) }))
    .sort((a, b) => a.bytes - b.bytes);
  let bytes = 0;
  const ids: Record<string, string> = {};
  const whole: Record<string, unknown> = {};
  for (const { name, value, bytes: taken } of fields) {
    if (bytes + taken <= room) {
      bytes += taken;
      whole[name] = value;
    } else if (typeof value?.id === "string") ids[`${name}Id`] = value.id;
  }
  return { stored: { ...whole, ...ids }, bytes };
}

/** Returns how many bytes of JSON a value takes, or some number above `most` if it takes more: then it is not read to its end. */
function bytesUpTo(most: number, value: unknown): number {
  if (typeof value !== "object" || value === null) return Buffer.byteLength(JSON.stringify(value) ?? "");
  let bytes = 2;
  for (const [name, inner] of Object.entries(value)) {
    bytes += (Array.isArray(value) ? 1 : name.length + 4) + bytesUpTo(most - bytes, inner);
    if (bytes > most) return bytes;
  }
  return bytes;
}
