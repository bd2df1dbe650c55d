import type { FastifyInstance } from "fastify";
import { limits } from "../../../contract/limits.ts";
import { addressGroup } from "../callers/client-address.ts";
import { Failure } from "../failure.ts";
import { announcedBytes } from "./read-bodies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is counted for its body, and the bytes. */
    reserved: { readonly caller: string; readonly bytes: number } | null;
  }
}

const hint = "There is no room for this body among those under way. Nothing was carried out: send it again.";

/**
 * Bounds the bytes of all bodies under way, before they are read: each counts its `Content-Length`, or what its endpoint allows if it
 * has chunks, until its response is sent. Refuses (503) those beyond the bounds of their caller and of all.
 */
export function boundBodies(app: FastifyInstance): void {
  app.decorateRequest("reserved", null);
  let total = 0;
  const held = new Map<string, number>();
  const add = (caller: string, bytes: number) => {
    total += bytes;
    const sum = (held.get(caller) ?? 0) + bytes;
    if (sum > 0) held.set(caller, sum);
    else held.delete(caller);
  };
  app.addHook("preParsing", (request, _response, _payload, done) => {
    const { actor, clientAddress, routeOptions } = request;
    const bytes = announcedBytes(request.raw.headers) ?? routeOptions.bodyLimit ?? limits.bodyBytes;
    // A client that has left already sends no body.
    if (bytes === 0 || request.socket.destroyed) return done();
    const caller = actor?.userId ?? addressGroup(clientAddress);
    const isFull = (held.get(caller) ?? 0) + bytes > limits.bodiesPerCallerBytes || total + bytes > limits.bodiesBytes;
    if (isFull) return done(new Failure("service_unavailable", { hint }));
    request.reserved = { caller, bytes };
    add(caller, bytes);
    done();
  });
  // Every request comes here, whatever it ends with, also where its client is gone.
  app.addHook("onSend", (request, _response, payload, done) => {
    if (request.reserved) add(request.reserved.caller, -request.reserved.bytes);
    request.reserved = null;
    request.body = undefined;
    done(null, payload);
  });
}
