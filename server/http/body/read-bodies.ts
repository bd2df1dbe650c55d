import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../../contract/limits.ts";
import { Failure, fail, failWith } from "../failure.ts";
import { collect } from "./collect.ts";
import { findUnstorable, parseJson } from "./parse-json.ts";
import { createStructure } from "./structure.ts";

/**
 * Bodies are read as bytes and refused unless they are JSON in valid UTF-8 and within the bounds of their row; an empty
 * one counts as absent whatever its Content-Type says.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook("onRequest", (request, _, done) => {
    const { headers } = request.raw;
    const empty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
    if (empty) delete headers["content-type"];
    done();
  });
  app.addContentTypeParser("application/json", (request: FastifyRequest, source: Readable) =>
    isPlainUtf8(request.raw) ? readJson(request, source) : readNothing(request, source),
  );
  app.addContentTypeParser("*", readNothing);
}

async function readJson(request: FastifyRequest, source: Readable): Promise<unknown> {
  const { invalidBody, bodyValues = limits.bodyValues } = request.routeOptions.config;
  const structure = createStructure(bodyValues);
  try {
    const bytes = await collect(source, {
      ...sizesOf(request),
      look: (part) => {
        const fault = structure.read(part);
        if (fault) failWith([fault]);
      },
    });
    if (bytes.length === 0) return undefined;
    const value = parseJson(bytes);
    const faults = structure.hasEscapes ? findUnstorable(value) : [];
    return faults.length > 0 ? failWith(faults) : value;
  } catch (error) {
    const stands = invalidBody && error instanceof Failure && error.key === "validation_failed";
    throw stands ? new Failure(invalidBody) : error;
  }
}

/** Takes an empty body only. */
async function readNothing(request: FastifyRequest, source: Readable): Promise<undefined> {
  await collect(source, { ...sizesOf(request), look: () => fail("unsupported_media_type") });
}

const sizesOf = ({ routeOptions, headers }: FastifyRequest) => ({
  limitBytes: routeOptions.bodyLimit ?? limits.bodyBytes,
  announcedBytes: Number(headers["content-length"]),
});

/** Whether a body is sent as it is (no compression) and, as far as its sender says, in UTF-8. */
function isPlainUtf8({ headers }: IncomingMessage): boolean {
  const codings = (headers["content-encoding"] ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  const charsets = (headers["content-type"] ?? "").matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi);
  return (
    codings.every((coding) => coding === "" || coding === "identity") &&
    [...charsets].every(([, charset = ""]) => /^utf-?8$/i.test(charset.trim()))
  );
}
