import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../../contract/limits.ts";
import { addressGroup } from "../client-address.ts";
import { Failure } from "../failure.ts";
import { announcedBytes } from "./read-bodies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Bytes that are reserved for its body. */
    reservedBytes: number;
  }
}

const NO_ROOM = "There is no room for this body among those under way. Nothing was carried out: send it again.";

/**
 * Limits the memory that bodies take. Before a body is read, its Content-Length is reserved, or what its row allows if it
 * has chunks, until the request is answered; without room, of all callers or of this one, it is refused (503).
 */
export function boundBodies(app: FastifyInstance): void {
  app.decorateRequest("reservedBytes", 0);
  let total = 0;
  const held = new Map<string, number>();
  const add = (caller: string, bytes: number) => {
    total += bytes;
    const sum = (held.get(caller) ?? 0) + bytes;
    if (sum > 0) held.set(caller, sum);
    else held.delete(caller);
  };
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const bytes = announcedBytes(request.raw.headers) ?? request.routeOptions.bodyLimit ?? limits.bodyBytes;
    // A client that has left already sends no body.
    if (bytes === 0 || request.raw.destroyed) return done();
    const caller = callerOf(request);
    const isCallersOwn = (held.get(caller) ?? 0) + bytes > limits.bodiesPerCallerBytes;
    if (isCallersOwn || total + bytes > limits.bodiesBytes)
      return done(new Failure("service_unavailable", { hint: NO_ROOM }));
    request.reservedBytes = bytes;
    add(caller, bytes);
    done();
  });
  // Every request comes here, whatever it ends with, also where its client is gone.
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (request.reservedBytes > 0) {
      add(callerOf(request), -request.reservedBytes);
      request.reservedBytes = 0;
      request.body = undefined;
    }
    done(null, payload);
  });
}

const callerOf = ({ actor, clientAddress }: FastifyRequest): string => actor?.userId ?? addressGroup(clientAddress);
