import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";

/** How responses can be compressed; if a client accepts both alike, the earlier one, which takes less time. */
const codings = ["gzip", "br"] as const;
type Coding = (typeof codings)[number];

/**
 * Returns the coding to compress a response with, from `Accept-Encoding` (RFC 9110, 12.5.3): the one with the highest
 * weight, or null where the client accepts none or prefers the response as it is. Without the header nothing is compressed:
 * clients that cannot read it do not send one.
 */
export function codingFor(header: string | string[] | undefined): Coding | null {
  if (header === undefined || header.length === 0) return null;
  const weights = new Map(String(header).toLowerCase().split(",").map(weightOf));
  const of = (name: string, otherwise: number) => weights.get(name) ?? weights.get("*") ?? otherwise;
  const [best] = codings.map((coding) => ({ coding, weight: of(coding, 0) })).toSorted((a, b) => b.weight - a.weight);
  const plain = weights.get("identity") ?? 0;
  return best && best.weight > 0 && best.weight >= plain ? best.coding : null;
}

/** Returns a coding with its weight; a weight that is not a number counts as 0. */
function weightOf(part: string): readonly [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
  const q = parameters.find((word) => word.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return [name, Number.isNaN(weight) ? 0 : weight];
}

/** Smaller responses fit into one packet anyway. */
export const COMPRESSED_BYTES = 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** Bytes of the response before it was compressed; 0 if it was not. */
    plainBytes: number;
  }
  interface FastifyContextConfig {
    /** The response contains a secret, and is not compressed: its length would depend on what the secret resembles. */
    keepsLength?: boolean;
  }
}

/**
 * Higher levels save a tenth of the bytes of JSON for twice the time and more. The small window takes 32 KiB of memory
 * instead of 256 for each response, and that is most of the cost: memory that is given back at once makes the collector run.
 */
const GZIP = { level: 2, windowBits: 12, memLevel: 6, chunkSize: 4096 };
const brotliFor = (body: Buffer) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 2,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  },
});

/** Bytes up to which a response is compressed at once: it takes less time than to hand it to another thread and back. */
const AT_ONCE_BYTES = 32 * 1024;

const atOnce: Readonly<Record<Coding, (body: Buffer) => Buffer>> = {
  gzip: (body) => gzipSync(body, GZIP),
  br: (body) => brotliCompressSync(body, brotliFor(body)),
};
const inThreadPool: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gzip)(body, GZIP),
  br: (body) => promisify(brotliCompress)(body, brotliFor(body)),
};

/**
 * Compresses responses of `COMPRESSED_BYTES` and more where the client asks for it, large ones in the thread pool. The
 * entity tag of a compressed response is weak, as its bytes differ (RFC 9110, 8.8.3.3). Streams are sent as they are.
 */
export function compressResponses(app: FastifyInstance): void {
  app.decorateRequest("plainBytes", 0);
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!(typeof payload === "string" || Buffer.isBuffer(payload))) return done();
    if (payload.length < COMPRESSED_BYTES) return done();
    if (request.routeOptions.config.keepsLength || reply.hasHeader("content-encoding")) return done();
    reply.header("vary", "Accept-Encoding");
    const coding = codingFor(request.headers["accept-encoding"]);
    if (coding === null) return done();
    const body = typeof payload === "string" ? Buffer.from(payload) : payload;
    request.plainBytes = body.length;
    if (body.length <= AT_ONCE_BYTES) return done(null, mark(reply, coding, atOnce[coding](body)));
    inThreadPool[coding](body).then((compressed) => done(null, mark(reply, coding, compressed)), done);
  });
}

function mark(reply: FastifyReply, coding: Coding, compressed: Buffer): Buffer {
  reply.header("content-encoding", coding);
  const tag = reply.getHeader("etag");
  if (typeof tag === "string" && tag.startsWith('"')) reply.header("etag", `W/${tag}`);
  return compressed;
}
