import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../../contract/limits.ts";
import { inTurn, LARGE_BYTES } from "../../platform/compute.ts";
import { Failure, failWith } from "../failure.ts";
import { findUnstorable, parseJson } from "./parse-json.ts";
import { readStructure } from "./structure.ts";

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
export function announcedBytes(headers: IncomingHttpHeaders): number | null {
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
