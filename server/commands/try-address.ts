import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Listens on an address for a moment, to learn early whether that is possible.
 * @throws what the operating system says, such as EADDRINUSE.
 */
export async function tryAddress({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
