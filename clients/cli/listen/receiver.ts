import { randomUUID } from "node:crypto";
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { generate } from "selfsigned";
import { Failure } from "../failure.ts";

/** A webhook request as it came over the wire. */
export interface Received {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** In the order and spelling of the sender. */
  readonly headerLines: readonly (readonly [name: string, value: string])[];
  /** The bytes that the signatures cover. */
  readonly body: Buffer;
}

/** What a receiver responds. */
export interface Response {
  readonly status: number;
  readonly type?: string | null;
  readonly body?: Uint8Array;
}

export interface ReceiverOptions {
  /** Data directory of the service that has to trust it. */
  readonly dataDir: string;
  /** Name of the file in `DATA_DIR/trusted-ca`. */
  readonly name: string;
  /** Port to listen on; 0 by default, which chooses a free one. */
  readonly port?: number;
  /** Plain HTTP, for a proxy or a tunnel in front that speaks TLS. */
  readonly isPlain?: boolean;
  /** Called with each request; 204 by default. */
  readonly respond?: (request: Received) => Promise<Response>;
}

/** A real HTTPS server on this machine, with a certificate of an authority made for it. */
export interface Receiver {
  /** `https://localhost:<port>`; for plain HTTP `http://`. */
  readonly url: string;
  /** Everything received so far. */
  readonly received: readonly Received[];
  /** Stops it, and takes back the trust in its authority. */
  close(): Promise<void>;
}

const noContent = async (): Promise<Response> => ({ status: 204 });

/** Starts a receiver, and makes the service that works on `dataDir` trust it. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { dataDir, name, port = 0, isPlain = false, respond = noContent } = options;
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
    const body = await read(request);
    if (body === null) return void response.writeHead(413, { connection: "close" }).end();
    const { rawHeaders, url: path = "", headers } = request;
    const headerLines = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : [],
    );
    const one = { path, headers: headers as Record<string, string>, headerLines, body };
    received.push(one);
    if (received.length > RECEIVED_MAX) received.shift();
    const { status, type, body: text } = await respond(one);
    response.writeHead(status, type ? { "content-type": type } : {}).end(text);
  };
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => response.destroy());
  const certified = isPlain ? null : await certify("localhost");
  const server = certified
    ? createHttpsServer({ key: certified.key, cert: certified.certificate }, serve)
    : createHttpServer(serve);
  await listen(server, port);
  const { port: chosen } = server.address() as AddressInfo;
  const distrust = certified ? trust(certified.authority, dataDir, `${name}.pem`) : () => {};
  return {
    url: `${isPlain ? "http" : "https"}://localhost:${chosen}`,
    received,
    async close() {
      distrust();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Requests that are remembered. */
const RECEIVED_MAX = 1_000;
/** A delivery is far smaller; anybody on this machine may send more. */
const MOST_BYTES = 1024 * 1024;

/** Returns the body of a request; null if it is too large. */
async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new Failure(`port ${port} is in use: name another one with --port`) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

/** Makes the service that works on `dataDir` trust an authority; returns how to undo it, also done when the process ends. */
function trust(authority: string, dataDir: string, name: string): () => void {
  const folder = join(dataDir, "trusted-ca");
  const file = join(folder, name);
  let made: string | undefined;
  const distrust = () => {
    process.off("exit", distrust);
    try {
      rmSync(file, { force: true });
      if (made !== undefined) for (const each of [folder, dataDir]) if (each.startsWith(made)) rmdirSync(each);
    } catch {
      // It was never there, or something of somebody else is in the folder by now.
    }
  };
  process.on("exit", distrust);
  try {
    made = mkdirSync(folder, { recursive: true });
    writeFileSync(file, authority);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`the service cannot be made to trust the receiver: ${reason}; run this as the service's user`);
  }
  return distrust;
}

/** A certificate authority of its own, and a certificate by it for `host`. */
async function certify(host: string) {
  const recipe = { keyType: "ec", algorithm: "sha256" } as const;
  // A name of its own: between two trusted authorities of one name OpenSSL takes the first, whatever its key.
  const name = `Estimation Service receiver ${randomUUID()}`;
  const authority = await generate([{ name: "commonName", value: name }], {
    ...recipe,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: "commonName", value: host }], {
    ...recipe,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "subjectAltName", altNames: [{ type: 2, value: host }] },
    ],
  });
  return { authority: authority.cert, key: leaf.private, certificate: leaf.cert };
}
