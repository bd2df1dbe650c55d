import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limits } from "../../contract/limits.ts";

/** Bytes of a chunked body that Node.js may keep in memory while nobody takes them. */
const UNTAKEN_BYTES = 512;

/** What the parser's function for headers returns to stop it, as Node.js does where another protocol begins. */
const STOP = 2;

type Step = (this: Parser, ...values: unknown[]) => unknown;
/** Node.js's parser: a function for each thing that it finds, and the connection that it works for, if there is one. */
interface Parser {
  [key: string]: Step | Socket | null | undefined;
  socket: Socket | null;
}

/** What is bounded of a connection. */
interface Bounded {
  /** Requests that have no response yet. */
  unanswered: number;
  /** Whether the body that arrives has chunks. */
  isChunked: boolean;
  /** How many small ones it had so far. */
  smallChunks: number;
  readonly onExcess: () => void;
}

/** By connection. Parsers go from one server of this process to another, and to the clients of other servers. */
const connections = new WeakMap<Socket, Bounded>();
const changed = new WeakSet<Parser>();

/**
 * Bounds what one read of a connection can cost. Node.js reads up to 64 KiB and works on all of it before anybody can refuse
 * a part: on 1,600 requests, or on 10,900 chunks of a body, which take longer than a hundred requests. So a
 * connection with too many requests that have no response yet is closed; and of the small chunks of a body only one more is
 * taken than it may have, by which it is refused.
 *
 * Calls `onExcess` for each such connection.
 *
 * There is no public way to do so: functions of the parser, found by their names, are replaced for good. They ask for whom the
 * parser works each time, because Node.js gives it to another connection when it likes, such as after a CONNECT.
 * Call this before anything else listens for connections.
 */
export function boundParsing(server: Server, onExcess: (socket: Socket) => void): void {
  server.on("connection", (socket: Socket & { parser?: Parser }) => {
    const { parser } = socket;
    if (!parser) return;
    if (!changed.has(parser)) change(parser);
    connections.set(socket, { unanswered: 0, isChunked: false, smallChunks: 0, onExcess: () => onExcess(socket) });
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const bounded = connections.get(request.socket);
    if (!bounded) return;
    response.once("close", () => {
      bounded.unanswered -= 1;
    });
    bounded.isChunked = request.headers["transfer-encoding"] !== undefined;
    // Node.js counts bytes only, and would keep 65,536 chunks of one byte, which take 20 MiB.
    const state = (request as { _readableState?: { highWaterMark: number } })._readableState;
    if (bounded.isChunked && state) state.highWaterMark = UNTAKEN_BYTES;
  });
}

/** Replaces the functions of a parser by some that bound its connection, if that is to be bounded. */
function change(parser: Parser): void {
  const [headersKey, bodyKey] = [keyOf(parser, "parserOnHeadersComplete"), keyOf(parser, "parserOnBody")];
  const [begin, take] = [parser[headersKey] as Step | undefined, parser[bodyKey] as Step | undefined];
  if (!begin || !take) return;
  changed.add(parser);
  const boundedNow = () => (parser.socket ? connections.get(parser.socket) : undefined);
  const takeFew: Step = (part) => {
    const bounded = boundedNow();
    if (bounded?.isChunked && (part as Buffer).length < limits.smallChunkBytes) {
      bounded.smallChunks += 1;
      if (bounded.smallChunks > limits.smallChunks) {
        // For the rest of this body, no function is called.
        parser[bodyKey] = undefined;
        parser.socket?.once("close", () => {
          parser[bodyKey] = takeFew;
        });
        bounded.onExcess();
      }
    }
    return take.call(parser, part);
  };
  parser[bodyKey] = takeFew;
  parser[headersKey] = (...values: unknown[]) => {
    parser[bodyKey] = takeFew;
    const bounded = boundedNow();
    if (!bounded) return begin.apply(parser, values);
    Object.assign(bounded, { unanswered: bounded.unanswered + 1, isChunked: false, smallChunks: 0 });
    if (bounded.unanswered <= limits.pipelinedRequests) return begin.apply(parser, values);
    bounded.onExcess();
    parser.socket?.destroy();
    return STOP;
  };
}

/** Returns the key of a function of the parser; an empty text if this Node.js has none of that name. */
const keyOf = (parser: Parser, name: string): string =>
  Object.keys(parser).find((key) => (parser[key] as Step | undefined)?.name === name) ?? "";
