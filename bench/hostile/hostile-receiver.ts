import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import { certify } from "../../tests/support/receiver.ts";
import type { Stage } from "./attack.ts";

/** Starts an attacker's receiver, which the service trusts; every request is left to `onRequest`. Returns its address. */
export async function startHostileReceiver(
  { dataDir, signal }: Pick<Stage, "dataDir" | "signal">,
  onRequest: (socket: TLSSocket) => void,
): Promise<string> {
  const pems = await certify(["localhost"]);
  const sockets = new Set<TLSSocket>();
  const server = createServer({ key: pems.private, cert: pems.cert }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      if (bytes.includes("POST ")) onRequest(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  signal.addEventListener("abort", () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const folder = join(dataDir, "trusted-ca");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "attacker.pem"), pems.cert);
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** What a user may send without being refused, with the usual settings. */
const PER_SECOND = 20;

/** Acts as often as a user may send requests, until the attack is to end. */
export async function actSteadily({ signal }: Pick<Stage, "signal">, act: () => Promise<unknown>): Promise<void> {
  const begun: Promise<unknown>[] = [];
  while (!signal.aborted) {
    begun.push(act());
    await new Promise((resolve) => setTimeout(resolve, 1_000 / PER_SECOND));
  }
  await Promise.all(begun);
}

/** Makes a webhook of the attacker; returns its path. */
export async function createWebhook({ send }: Pick<Stage, "send">, token: string, url: string): Promise<string> {
  const { status, text } = await send("POST", "/api/webhooks", {
    token,
    body: { url, events: ["estimation.tasks_generated"] },
  });
  if (status !== 201) throw new Error(`a webhook was refused: ${status} ${text}`);
  return `/api/webhooks/${JSON.parse(text).data.webhook.id}`;
}
