import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Listens on an address for a moment, to find out early whether that is possible.
 * @throws the operating system's error, such as EADDRINUSE.
 */
export async function tryAddress({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
