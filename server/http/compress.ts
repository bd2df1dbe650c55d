import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import { limits } from "../../contract/limits.ts";
import { type Coding, codingFor } from "./content-coding.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Bytes of the answer before it was compressed; 0 if it was not. */
    plainBytes: number;
  }
  interface FastifyContextConfig {
    /** The answer contains a secret, and is not compressed: its length would depend on what the secret resembles. */
    keepsLength?: boolean;
  }
}

/** Of both, levels that take about as long as serialising: higher ones save few bytes of JSON for several times the time. */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 4;

const compressors: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body, { level: GZIP_LEVEL }),
};

/**
 * Compresses answers of `limits.compressedBytes` and more where the client asks for it, in the thread pool. The entity tag
 * of a compressed answer is weak, as its bytes are others (RFC 9110, 8.8.3.3). Streams are sent as they are.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.decorateRequest("plainBytes", 0);
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!(typeof payload === "string" || Buffer.isBuffer(payload))) return done();
    if (payload.length < limits.compressedBytes) return done();
    if (request.routeOptions.config.keepsLength || reply.hasHeader("content-encoding")) return done();
    reply.header("vary", "Accept-Encoding");
    const coding = codingFor(request.headers["accept-encoding"]);
    if (coding === null) return done();
    const body = typeof payload === "string" ? Buffer.from(payload) : payload;
    request.plainBytes = body.length;
    compressors[coding](body).then((compressed) => done(null, mark(reply, coding, compressed)), done);
  });
}

function mark(reply: FastifyReply, coding: Coding, compressed: Buffer): Buffer {
  reply.header("content-encoding", coding);
  const tag = reply.getHeader("etag");
  if (typeof tag === "string" && tag.startsWith('"')) reply.header("etag", `W/${tag}`);
  return compressed;
}
