import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../../contract/limits.ts";
import { inTurn, LARGE_BYTES } from "../../platform/compute.ts";
import { addressGroup } from "../callers/client-address.ts";
import { Failure, failWith } from "../failure.ts";
import { findUnstorable, parseJson } from "./parse-json.ts";
import { readStructure } from "./structure.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is counted for its body, and the bytes. */
    reserved: { readonly caller: string; readonly bytes: number } | null;
  }
}

const hint = "There is no room for this body among those under way. Nothing was carried out: send it again.";

/**
 * Bounds the bytes of all bodies under way, before they are read: each counts its `Content-Length`, or what its row allows if it
 * has chunks, until its response is sent. Refuses (503) those beyond the bounds of their caller and of all.
 */
export function boundBodies(app: FastifyInstance): void {
  app.decorateRequest("reserved", null);
  let total = 0;
  const held = new Map<string, number>();
  const add = (caller: string, bytes: number) => {
    total += bytes;
    const sum = (held.get(caller) ?? 0) + bytes;
    if (sum > 0) held.set(caller, sum);
    else held.delete(caller);
  };
  app.addHook("preParsing", (request, _response, _payload, done) => {
    const { actor, routeOptions } = request;
    const bytes = announcedBytes(request.raw.headers) ?? routeOptions.bodyLimit ?? limits.bodyBytes;
    // A client that has left already sends no body.
    if (bytes === 0 || request.socket.destroyed) return done();
    const caller = actor?.userId ?? addressGroup(request.clientAddress);
    const isFull = (held.get(caller) ?? 0) + bytes > limits.bodiesPerCallerBytes || total + bytes > limits.bodiesBytes;
    if (isFull) return done(new Failure("service_unavailable", { hint }));
    request.reserved = { caller, bytes };
    add(caller, bytes);
    done();
  });
  // Every request comes here, whatever it ends with, also where its client is gone.
  app.addHook("onSend", (request, _response, payload, done) => {
    if (request.reserved) add(request.reserved.caller, -request.reserved.bytes);
    request.reserved = null;
    request.body = undefined;
    done(null, payload);
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the body's bytes, if the request has an `Idempotency-Key`; null without a body. */
    bodyHash: Buffer | null;
  }
}

/** Runs the work of a request on a large body once it is admitted. */
type WhenAdmitted = <R>(request: FastifyRequest, work: () => Promise<R>) => Promise<R>;

/**
 * Reads bodies and refuses them unless they are JSON in valid UTF-8 within the limits of their row. An empty body counts as
 * absent, whatever its Content-Type. A large one that has arrived waits until the request is admitted.
 */
export function readBodies(app: FastifyInstance, whenAdmitted: WhenAdmitted): void {
  app.decorateRequest("bodyHash", null);
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", ({ raw: { headers }, routeOptions }, _response, _payload, done) => {
    const bytes = announcedBytes(headers);
    if (bytes === 0) delete headers["content-type"];
    // Here, and not while it is read: Fastify would close the connection, and a sender who is still sending would not get the response.
    else if (bytes !== null && bytes > (routeOptions.bodyLimit ?? limits.bodyBytes))
      return done(new Failure("payload_too_large", { details: { limitBytes: routeOptions.bodyLimit } }));
    else if (!isPlainUtf8(headers)) return done(new Failure("unsupported_media_type"));
    done();
  });
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer<ArrayBuffer>) => {
      request.bodyBytes = bytes.length;
      if (bytes.length === 0) return undefined;
      const read = () => readJson(request, bytes);
      return bytes.length < LARGE_BYTES ? read() : whenAdmitted(request, read);
    },
  );
}

/** The bytes of a body as its sender announces them; null if it has chunks. */
function announcedBytes(headers: IncomingHttpHeaders): number | null {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : null;
}

async function readJson(request: FastifyRequest, bytes: Buffer<ArrayBuffer>): Promise<unknown> {
  const { bodyValues = limits.bodyValues } = request.routeOptions.config;
  const step = <R>(work: () => R) => inTurn(bytes.length, work);
  const { fault, hasEscapes } = await step(() => readStructure(bytes, bodyValues));
  if (fault) failWith([fault]);
  const value = await step(() => parseJson(bytes));
  const faults = hasEscapes ? await step(() => findUnstorable(value)) : [];
  if (faults.length > 0) failWith(faults);
  if (request.headers["idempotency-key"] !== undefined) request.bodyHash = createHash("sha256").update(bytes).digest();
  return value;
}

/** Returns whether a body is uncompressed and, according to its sender, in UTF-8. */
function isPlainUtf8(headers: IncomingHttpHeaders): boolean {
  const codings = (headers["content-encoding"] ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  const charsets = (headers["content-type"] ?? "").matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi);
  return (
    codings.every((coding) => coding === "" || coding === "identity") &&
    [...charsets].every(([, charset = ""]) => /^utf-?8$/i.test(charset.trim()))
  );
}
