import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limits } from "../../contract/limits.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { createChunkAllowance } from "./chunk-allowance.ts";

/** Bytes of a chunked body that Node.js may keep in memory while nobody takes them. */
const UNTAKEN_BYTES = 512;

/** How long a connection stays open after the answers to what was carried out, in milliseconds. */
const LINGER_MS = 1_000;

/** What the parser's function for headers returns to stop it, as Node.js does where another protocol begins. */
const STOP = 2;

type Step = (this: Parser, ...values: unknown[]) => unknown;
/** Node.js's parser: a function for each thing that it finds, and the connection and request that it works for, if there are. */
interface Parser {
  [key: string]: Step | Socket | IncomingMessage | null | undefined;
  socket: Socket | null;
  incoming: IncomingMessage | null;
}

type MayTake = ReturnType<typeof createChunkAllowance>;

/** What is bounded of a connection. */
interface Bounded {
  /** Requests that have no response yet. */
  unanswered: number;
  /** Whether there was one more than there may be. */
  isOver: boolean;
  /** Of the body that arrives, if it has chunks. */
  mayTake: MayTake | null;
  /** Of all bodies since the last response: nobody may have more chunks in a read by sending more requests. */
  mayTakeOfAll: MayTake;
  /** Called when it sends more than it may; returns whether its address did so seldom. */
  readonly onExcess: () => boolean;
}

/** By connection. Parsers go from one server of this process to another, and to the clients of other servers. */
const connections = new WeakMap<Socket, Bounded>();
const changed = new WeakSet<Parser>();
const cut = new WeakSet<object>();

/** Returns whether chunks of a request's body were left out, because there were too many: it is not complete when it ends. */
export const isCut = (request: object): boolean => cut.has(request);

/**
 * Bounds what one read of a connection can cost. Node.js reads up to 64 KiB and works on all of it before anybody can refuse
 * a part: on 1,600 requests, or on 10,900 chunks of a body, which take longer than a hundred requests. So where too many
 * requests have no response yet, what follows is not carried out, and the connection is closed when they are answered; and of
 * the small chunks of a body only one more is taken than it may have, by which it is refused.
 *
 * Calls `onExcess` for each such connection. If that returns false for one with too many requests, it is closed without those
 * answers: to answer on very many would keep others waiting.
 *
 * There is no public way to do so: functions of the parser, found by their names, are replaced for good. They ask for whom the
 * parser works each time, because Node.js gives it to another connection when it likes, such as after a CONNECT.
 * Call this before anything else listens for connections.
 */
export function boundParsing(
  server: Server,
  onExcess: (socket: Socket) => boolean,
  clock: Pick<Clock, "after"> = systemClock,
): void {
  server.on("connection", (socket: Socket & { parser?: Parser }) => {
    const { parser } = socket;
    if (!parser) return;
    if (!changed.has(parser)) change(parser);
    connections.set(socket, {
      ...{ unanswered: 0, isOver: false, mayTake: null, mayTakeOfAll: createChunkAllowance() },
      onExcess: () => onExcess(socket),
    });
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const bounded = connections.get(request.socket);
    if (!bounded) return;
    response.once("close", () => {
      bounded.unanswered -= 1;
      bounded.mayTakeOfAll = createChunkAllowance();
      if (bounded.isOver && bounded.unanswered === 0) endSlowly(request.socket, clock);
    });
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    if (isChunked) bounded.mayTake = createChunkAllowance();
    // Node.js counts bytes only, and would keep 65,536 chunks of one byte, which take 20 MiB.
    const state = (request as { _readableState?: { highWaterMark: number } })._readableState;
    if (isChunked && state) state.highWaterMark = UNTAKEN_BYTES;
  });
}

/** Closes a connection of which not everything was read a moment after its last answer: at once, the answers could be lost. */
function endSlowly(socket: Socket, clock: Pick<Clock, "after">): void {
  socket.end();
  socket.once(
    "close",
    clock.after(LINGER_MS, () => socket.destroy()),
  );
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
    if (!bounded?.mayTake) return take.call(parser, part);
    const { length } = part as Buffer;
    const [isAllowed, isAllowedOfAll] = [bounded.mayTake(length), bounded.mayTakeOfAll(length)];
    if (!isAllowed || !isAllowedOfAll) {
      // For the rest of this body, no function is called.
      parser[bodyKey] = undefined;
      parser.socket?.once("close", () => {
        parser[bodyKey] = takeFew;
      });
      bounded.onExcess();
      if (parser.incoming) cut.add(parser.incoming);
      // Alone it would have had the room: nothing that follows is carried out.
      if (isAllowed) bounded.isOver = true;
    }
    return take.call(parser, part);
  };
  parser[bodyKey] = takeFew;
  parser[headersKey] = (...values: unknown[]) => {
    parser[bodyKey] = takeFew;
    const bounded = boundedNow();
    if (!bounded) return begin.apply(parser, values);
    bounded.mayTake = null;
    if (!bounded.isOver && bounded.unanswered < limits.pipelinedRequests) {
      bounded.unanswered += 1;
      return begin.apply(parser, values);
    }
    const isFirst = !bounded.isOver;
    bounded.isOver = true;
    if (isFirst && !bounded.onExcess()) parser.socket?.destroy();
    // The others are answered first. Nothing is read any more, not even where one of their bodies asks for more.
    else if (parser.socket) Object.assign(parser.socket.pause(), { resume: () => parser.socket });
    return STOP;
  };
}

/** Returns the key of a function of the parser; an empty text if this Node.js has none of that name. */
const keyOf = (parser: Parser, name: string): string =>
  Object.keys(parser).find((key) => (parser[key] as Step | undefined)?.name === name) ?? "";
