import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Functions to call when a connection is gone. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `then` once when the response has been sent, or when nobody can receive it any more; at once if that is so already.
 * A response alone would not tell: it emits nothing further if its connection was lost earlier, nor if the connection is
 * lost while the response waits behind others on it.
 */
export function whenClosed(request: FastifyRequest, reply: FastifyReply, then: () => void): void {
  const { socket } = request.raw;
  const response = reply.raw;
  if (socket.destroyed || response.destroyed || response.closed) {
    then();
    return;
  }
  const onConnection = waitingOn(socket);
  const end = () => {
    response.off("close", end);
    if (onConnection.delete(end)) then();
  };
  response.once("close", end);
  onConnection.add(end);
}

/** One listener for each connection, however many responses are on their way to it. */
function waitingOn(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known) return known;
  const all = new Set<() => void>();
  socket.once("close", () => {
    for (const end of [...all]) end();
  });
  waiting.set(socket, all);
  return all;
}
