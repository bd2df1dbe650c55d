import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generate } from "selfsigned";

/** A request as it was received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names as they were sent. */
  readonly headerNames: readonly string[];
  readonly body: string;
}

/** A real HTTPS server that records the requests it receives. */
export interface Receiver {
  /** `https://localhost:<port>`, without a slash at the end. */
  readonly url: string;
  readonly requests: Received[];
  /** Its certificate, as PEM. */
  readonly certificate: string;
  /** Connections that were opened so far. */
  readonly connections: () => number;
  /** Connections that are open now. */
  readonly openConnections: () => number;
  /** Makes the service with the data directory `dataDir` trust it. */
  trustedBy(dataDir: string): void;
  close(): Promise<void>;
}

export type Respond = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/**
 * Starts a receiver on loopback; it responds 200 with a short text unless `respond` does otherwise.
 *
 * @param names further host names that its certificate is for
 */
export async function startReceiver(
  respond: Respond = (_, response) => response.end("ok"),
  names: readonly string[] = [],
): Promise<Receiver> {
  const pems = await certify(["localhost", ...names]);
  const sockets = new Set<Socket>();
  const requests: Received[] = [];
  let opened = 0;
  const server = createServer({ key: pems.private, cert: pems.cert }, async (request, response) => {
    // Undefined where the sender ended before its request did.
    const content = await buffer(request).catch(() => undefined);
    if (!content) return;
    const received: Received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      headerNames: request.rawHeaders.filter((_, at) => at % 2 === 0),
      body: content.toString("utf8"),
    };
    requests.push(received);
    respond(received, response, request);
  });
  server.on("connection", (socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    requests,
    certificate: pems.cert,
    connections: () => opened,
    openConnections: () => sockets.size,
    trustedBy(dataDir) {
      const folder = join(dataDir, "trusted-ca");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `receiver-${port}.pem`), pems.cert);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a self-signed certificate for the host names, and for 127.0.0.1. */
export function certify(names: readonly string[], options: { notAfterDate?: Date } = {}) {
  // With a unique name: of two trusted certificates with the same name OpenSSL takes the first, whatever its key.
  return generate([{ name: "commonName", value: `test ${randomUUID()}` }], {
    keyType: "ec",
    algorithm: "sha256",
    ...options,
    ...(options.notAfterDate ? { notBeforeDate: new Date(options.notAfterDate.getTime() - 86_400_000) } : {}),
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [...names.map((value) => ({ type: 2 as const, value })), { type: 7 as const, ip: "127.0.0.1" }],
      },
    ],
  });
}
