import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../../contract/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { addressGroup } from "../client-address.ts";
import { Failure, fail, failWith } from "../failure.ts";
import { LargeBody } from "../in-thread.ts";
import { join } from "./blocks.ts";
import type { HeldBody } from "./budget.ts";
import { collect, type Pace } from "./collect.ts";
import type { Parked } from "./parking.ts";
import { findUnstorable, parseJson } from "./parse-json.ts";
import { createStructure, type Structure } from "./structure.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body's part of the budget; released once the handler has ended. */
    heldBody: HeldBody | null;
  }
}

/** What a small part costs its sender, as bytes: taking one keeps others waiting for longer than its bytes do. */
const SMALL_PART_COST_BYTES = 2 * 1024;

/** What is needed to read bodies. */
export interface Reading {
  readonly budget: (callers: readonly string[]) => HeldBody;
  readonly pace: Pace;
  readonly clock: Clock;
  /** Tells a sender that waits for `100 Continue` to send the body. */
  readonly ask: (request: IncomingMessage) => void;
}

/**
 * Reads bodies as bytes and refuses them unless they are JSON in valid UTF-8 within the limits of their row. An empty
 * body counts as absent, whatever its Content-Type.
 */
export function readBodies(app: FastifyInstance, reading: Reading): void {
  app.decorateRequest("heldBody", null);
  app.removeAllContentTypeParsers();
  app.addHook("onRequest", (request, _, done) => {
    const { headers } = request.raw;
    const empty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
    if (empty) delete headers["content-type"];
    done();
  });
  app.addContentTypeParser("application/json", (request: FastifyRequest, source: Readable) =>
    isPlainUtf8(request.raw) ? readJson(request, source, reading) : readNothing(request, source, reading),
  );
  app.addContentTypeParser("*", (request: FastifyRequest, source: Readable) => readNothing(request, source, reading));
}

async function readJson(request: FastifyRequest, source: Readable, reading: Reading): Promise<unknown> {
  const { invalidBody, bodyValues = limits.bodyValues, leavesLargeBodies } = request.routeOptions.config;
  const structure = createStructure(bodyValues);
  const held = reading.budget(callersOf(request));
  try {
    const look = (part: Buffer) => {
      held.add(part.length);
      if (!leavesLargeBodies) refuseExcess(structure, part);
    };
    const blocks = await read(request, source, reading, look, held);
    if (blocks.size() === 0) return undefined;
    if (leavesLargeBodies && blocks.size() > limits.inProcessBytes) {
      const parked = blocks.park();
      request.heldBody = { ...held, release: () => freeParked(parked, held) };
      return new LargeBody(parked);
    }
    const bytes = join(blocks.take());
    if (leavesLargeBodies) refuseExcess(structure, bytes);
    const value = parseJson(bytes);
    const faults = structure.hasEscapes() ? findUnstorable(value) : [];
    if (faults.length > 0) failWith(faults);
    request.heldBody = held;
    return value;
  } catch (error) {
    const isFinal = invalidBody && error instanceof Failure && error.key === "validation_failed";
    throw isFinal ? new Failure(invalidBody) : error;
  } finally {
    if (request.heldBody === null) held.release();
  }
}

/** Frees the bytes as well if no thread has got them; nothing else would. */
function freeParked({ port }: Parked, held: HeldBody): void {
  port.close();
  held.release();
}

function refuseExcess(structure: Structure, bytes: Buffer): void {
  const fault = structure.read(bytes);
  if (fault) failWith([fault]);
}

/** Accepts only an empty body. */
async function readNothing(request: FastifyRequest, source: Readable, reading: Reading): Promise<undefined> {
  await read(request, source, reading, () => fail("unsupported_media_type"));
}

function read(
  request: FastifyRequest,
  source: Readable,
  { pace, clock, ask }: Reading,
  look: (part: Buffer) => void,
  held?: HeldBody,
) {
  const { routeOptions, headers } = request;
  const limitBytes = routeOptions.bodyLimit ?? limits.bodyBytes;
  const announcedBytes = Number(headers["content-length"]);
  if (!(announcedBytes > limitBytes)) ask(request.raw);
  const lookAndCount = (part: Buffer) => {
    request.bodyBytes += part.length < limits.smallChunkBytes ? SMALL_PART_COST_BYTES : part.length;
    look(part);
  };
  const parkedAbove = routeOptions.config.leavesLargeBodies ? limits.inProcessBytes : undefined;
  return collect(source, {
    limitBytes,
    announcedBytes,
    pace,
    clock,
    look: lookAndCount,
    parkedAbove,
    signal: held?.givenUp,
    onEnd: held?.complete,
  });
}

const callersOf = ({ actor, clientAddress }: FastifyRequest): string[] => [
  addressGroup(clientAddress),
  ...(actor ? [actor.userId] : []),
];

/** Returns whether a body is uncompressed and, according to its sender, in UTF-8. */
function isPlainUtf8({ headers }: IncomingMessage): boolean {
  const codings = (headers["content-encoding"] ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  const charsets = (headers["content-type"] ?? "").matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi);
  return (
    codings.every((coding) => coding === "" || coding === "identity") &&
    [...charsets].every(([, charset = ""]) => /^utf-?8$/i.test(charset.trim()))
  );
}
