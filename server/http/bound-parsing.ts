import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limits } from "../../contract/limits.ts";

/** Bytes of a chunked body that Node.js may keep in memory while nobody takes them. */
const UNTAKEN_BYTES = 512;

/** What the parser's function for headers returns to stop it, as Node.js does where another protocol begins. */
const STOP = 2;

type Step = (this: unknown, ...values: unknown[]) => unknown;
/** Node.js's parser of a connection, with a function for each thing that it finds. */
type Parser = Record<string, Step | undefined>;

/** What is bounded of a connection. */
interface Bounded {
  /** Requests that have no response yet. */
  unanswered: number;
  /** Called when a body begins. */
  readonly boundBody: (isChunked: boolean) => void;
}

/**
 * Bounds what one read of a connection can cost. Node.js reads up to 64 KiB and works on all of it before anybody can refuse
 * a part: on 1,600 requests, or on 10,900 chunks of a body, which take longer than a hundred requests. So a
 * connection with too many requests that have no response yet is closed; and of the small chunks of a body only one more is
 * taken than it may have, by which it is refused.
 *
 * Calls `onExcess` for each such connection.
 *
 * There is no public way to do so: functions of the parser, found by their names, are replaced while the connection lasts.
 * Call this before anything else listens for connections.
 */
export function boundParsing(server: Server, onExcess: (socket: Socket) => void): void {
  const connections = new WeakMap<Socket, Bounded>();
  server.on("connection", (socket: Socket & { parser?: Parser }) => {
    const { parser } = socket;
    const [headersKey, bodyKey] = [keyOf(parser, "parserOnHeadersComplete"), keyOf(parser, "parserOnBody")];
    const [begin, take] = [parser?.[headersKey], parser?.[bodyKey]];
    if (!parser || !begin || !take) return;
    const takeFew = (): Step => {
      let small = 0;
      return (part) => {
        if ((part as Buffer).length < limits.smallChunkBytes) small += 1;
        if (small > limits.smallChunks) {
          // For what follows, no function is called.
          parser[bodyKey] = undefined;
          onExcess(socket);
        }
        return take.call(parser, part);
      };
    };
    const bounded: Bounded = {
      unanswered: 0,
      boundBody(isChunked) {
        parser[bodyKey] = isChunked ? takeFew() : take;
      },
    };
    connections.set(socket, bounded);
    parser[headersKey] = (...values) => {
      bounded.unanswered += 1;
      if (bounded.unanswered <= limits.pipelinedRequests) return begin.apply(parser, values);
      onExcess(socket);
      socket.destroy();
      return STOP;
    };
    // Node.js uses the parser for other connections.
    socket.once("close", () => {
      parser[headersKey] = begin;
      parser[bodyKey] = take;
    });
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const bounded = connections.get(request.socket);
    if (!bounded) return;
    response.once("close", () => {
      bounded.unanswered -= 1;
    });
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    bounded.boundBody(isChunked);
    // Node.js counts bytes only, and would keep 65,536 chunks of one byte, which take 20 MiB.
    const state = (request as { _readableState?: { highWaterMark: number } })._readableState;
    if (isChunked && state) state.highWaterMark = UNTAKEN_BYTES;
  });
}

/** Returns the key of a function of the parser; an empty text if this Node.js has none of that name. */
const keyOf = (parser: Parser | undefined, name: string): string =>
  Object.keys(parser ?? {}).find((key) => parser?.[key]?.name === name) ?? "";
