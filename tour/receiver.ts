import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { generate } from "selfsigned";
import { TourFailure } from "./failure.ts";

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

/** A real HTTPS server on this machine, with a certificate of an authority made for it. */
export interface Receiver {
  /** `https://localhost:<port>`. */
  readonly url: string;
  /** Everything received so far. */
  readonly received: readonly Received[];
  /** Stops it, and takes back the trust in its authority. */
  close(): Promise<void>;
}

/** Starts a receiver that answers 204, and makes the service that works on `dataDir` trust it. */
export async function startReceiver(dataDir: string): Promise<Receiver> {
  const { authority, key, certificate } = await certify("localhost");
  const distrust = trust(authority, dataDir);
  const received: Received[] = [];
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { rawHeaders } = request;
    received.push({
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      headerLines: rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : [])),
      body: Buffer.concat(chunks),
    });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    received,
    async close() {
      distrust();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes the service that works on `dataDir` trust an authority; returns how to undo it, also done when the process ends. */
function trust(authority: string, dataDir: string): () => void {
  const folder = join(dataDir, "trusted-ca");
  const file = join(folder, "tour.pem");
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
    throw new TourFailure(
      `the service cannot be made to trust the receiver: ${reason}; run the tour as the service's user`,
    );
  }
  return distrust;
}

/** A certificate authority of its own, and a certificate by it for `host`. */
async function certify(host: string) {
  const recipe = { keyType: "ec", algorithm: "sha256" } as const;
  const authority = await generate([{ name: "commonName", value: "Estimation Service tour" }], {
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
