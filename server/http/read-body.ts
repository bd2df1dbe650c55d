import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ErrorKey } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { type Fault, fail, failWith } from "./failure.ts";
import { pointer } from "./pointer.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Bodies are read as bytes and refused unless they are JSON in valid UTF-8; an empty one counts as absent whatever its
 * Content-Type says.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook("onRequest", (request, _, done) => {
    const { headers } = request.raw;
    const empty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
    if (empty) delete headers["content-type"];
    done();
  });
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    return isPlainUtf8(request.raw) ? parseBody(body, request.routeOptions.config.invalidBody) : refuseKind();
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_: unknown, body: Buffer) =>
    body.length === 0 ? undefined : refuseKind(),
  );
}

const refuseKind = (): never => fail("unsupported_media_type");

/** Whether a body is sent as it is (no compression) and, as far as its sender says, in UTF-8. */
function isPlainUtf8({ headers }: IncomingMessage): boolean {
  const codings = (headers["content-encoding"] ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  const charsets = (headers["content-type"] ?? "").matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi);
  return (
    codings.every((coding) => coding === "" || coding === "identity") &&
    [...charsets].every(([, charset = ""]) => /^utf-?8$/i.test(charset.trim()))
  );
}

/**
 * Parses JSON and refuses text that the database cannot hold. Throws `invalid_json`, or `validation_failed` unless another
 * error stands for the faults of this body.
 */
export function parseBody(bytes: Uint8Array, invalidBody?: ErrorKey): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    fail("invalid_json");
  }
  const faults = inspect(value);
  if (faults.length === 0) return value;
  return invalidBody ? fail(invalidBody) : failWith(faults);
}

/** Whether text can be stored: PostgreSQL holds no NUL, and half a surrogate pair has no UTF-8. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

interface Container {
  readonly value: object;
  readonly key: string;
  readonly parent: Container | null;
  readonly depth: number;
}

/** Walks a JSON value without recursion, because its depth is the sender's choice. */
function inspect(root: unknown): Fault[] {
  const faults: Fault[] = [];
  const open: Container[] = [];
  const look = (value: unknown, key: string, parent: Container | null) => {
    if (typeof value === "string" && !isStorable(value)) {
      faults.push({ path: pathOf(parent, key), message: "must not hold a NUL character or half a surrogate pair" });
    } else if (typeof value === "object" && value !== null) {
      open.push({ value, key, parent, depth: (parent?.depth ?? 0) + 1 });
    }
  };
  look(root, "", null);
  for (let at = open.pop(); at && faults.length < limits.reportedFaults; at = open.pop()) {
    if (at.depth > limits.bodyDepth)
      return [{ path: "", message: `must not nest deeper than ${limits.bodyDepth} levels` }];
    for (const [key, inner] of Object.entries(at.value)) look(inner, key, at);
  }
  return faults;
}

function pathOf(parent: Container | null, key: string): string {
  const parts = [key];
  for (let at = parent; at?.parent; at = at.parent) parts.unshift(at.key);
  return parent ? pointer(parts) : "";
}
