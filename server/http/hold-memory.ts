import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../contract/limits.ts";
import type { Clock } from "../platform/clock.ts";
import { contentBytes, noteContent } from "../platform/content-bytes.ts";
import { TooManyOfCaller } from "../platform/fair-queue.ts";
import { Overloaded } from "../platform/turns.ts";
import { announcedBytes } from "./body/read-bodies.ts";
import { addressGroup } from "./client-address.ts";
import { Failure } from "./failure.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is counted for it, and the bytes: of its body, and of the stored content that it may load. */
    heldMemory: { readonly caller: string; readonly bytes: number } | null;
  }
  interface FastifyContextConfig {
    /** The row may load the content of the estimation or the template in its path. */
    loadsContent?: boolean;
  }
}

const NO_ROOM = "There is no room for this request among those under way. Nothing was carried out: send it again.";
/** Requests that wait for room: of one caller, and of all. */
const WAITING_PER_CALLER = 8;
const WAITING = 256;

interface Waiter {
  readonly caller: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Limits the memory that requests take, before anything is read or loaded for them: each counts the `Content-Length` of its
 * body (what its row allows if it has chunks) and the stored content on which it works, until it is answered. A caller's
 * requests beyond the caller's part wait, and hold no database connection meanwhile; a single one may exceed it. They get 503 after
 * `limits.writeWaitSeconds`, and 429 if too many wait. `measure` asks the database for the content of a record that this
 * process has not seen.
 */
export function holdMemory(app: FastifyInstance, clock: Clock, measure: (id: string) => Promise<number>): void {
  app.decorateRequest("heldMemory", null);
  let total = 0;
  const held = new Map<string, number>();
  const waiting: Waiter[] = [];
  const add = (caller: string, bytes: number) => {
    total += bytes;
    const sum = (held.get(caller) ?? 0) + bytes;
    if (sum > 0) held.set(caller, sum);
    else held.delete(caller);
  };
  const hasRoom = ({ caller, bytes }: Pick<Waiter, "caller" | "bytes">) => {
    const own = held.get(caller) ?? 0;
    return (own === 0 || own + bytes <= limits.memoryPerCallerBytes) && total + bytes <= limits.memoryBytes;
  };
  const beginWaiting = () => {
    // What begins may end at once, and let others begin before the next one is looked at.
    for (const waiter of [...waiting]) if (waiting.includes(waiter) && hasRoom(waiter)) waiter.begin();
  };

  const admit = (request: FastifyRequest, bytes: number, done: (error?: Error) => void) => {
    // A client that has left already sends no body.
    if (bytes === 0 || request.socket.destroyed) return done();
    const caller = callerOf(request);
    const hold = () => {
      request.heldMemory = { caller, bytes };
      add(caller, bytes);
      done();
    };
    if (hasRoom({ caller, bytes })) return hold();
    if (waiting.filter((one) => one.caller === caller).length >= WAITING_PER_CALLER)
      return done(new TooManyOfCaller(NO_ROOM));
    if (waiting.length >= WAITING) return done(new Overloaded(NO_ROOM));
    const leave = () => {
      waiting.splice(waiting.indexOf(waiter), 1);
      cancel();
      request.socket.removeListener("close", giveUp);
    };
    const giveUp = () => {
      leave();
      done(new Failure("service_unavailable", { hint: NO_ROOM }));
    };
    const waiter: Waiter = {
      caller,
      bytes,
      begin: () => {
        leave();
        hold();
      },
    };
    const cancel = clock.after(limits.writeWaitSeconds * 1_000, giveUp);
    request.socket.once("close", giveUp);
    waiting.push(waiter);
  };

  app.addHook("preParsing", (request, _response, _payload, done) => {
    const { bodyLimit = limits.bodyBytes, config } = request.routeOptions;
    const ofBody = announcedBytes(request.raw.headers) ?? bodyLimit;
    if (!config.loadsContent) return admit(request, ofBody, done);
    const { id } = request.params as { id: string };
    const known = contentBytes(id);
    if (known !== undefined) return admit(request, ofBody + known, done);
    measure(id).then((bytes) => {
      noteContent(id, bytes);
      admit(request, ofBody + bytes, done);
    }, done);
  });
  // Every request comes here, whatever it ends with, also where its client is gone.
  app.addHook("onSend", (request, _response, payload, done) => {
    const held = request.heldMemory;
    if (held) {
      add(held.caller, -held.bytes);
      request.heldMemory = null;
      request.body = undefined;
      beginWaiting();
    }
    done(null, payload);
  });
}

const callerOf = ({ actor, clientAddress }: FastifyRequest): string => actor?.userId ?? addressGroup(clientAddress);
