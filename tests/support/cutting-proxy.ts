import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy of connections that cuts some of them. */
export interface CuttingProxy {
  readonly url: string;
  /** Cuts the connection of each of the next `count` responses, once this part of what came first has been passed on. */
  cutNext(count: number, part: number): void;
  /** First lines of the requests and of the responses that it has passed on, or begun to, so far. */
  readonly requests: string[];
  readonly responses: string[];
}

/** Starts a proxy of connections to `target` for one test. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const responses: string[] = [];
  let [cuts, cutAt] = [0, 0];
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    return socket;
  };
  const server = createServer((client) => {
    const service = track(connect(Number(port), hostname));
    track(client).on("data", (bytes) => {
      const line = firstLine(bytes);
      if (/ HTTP\/1\.1$/.test(line)) requests.push(line);
      service.write(bytes);
    });
    service.on("data", (bytes) => {
      const line = firstLine(bytes);
      if (/^HTTP\/1\.1 /.test(line)) responses.push(line);
      if (cuts === 0) return void client.write(bytes);
      cuts -= 1;
      client.end(bytes.subarray(0, Math.floor(bytes.length * cutAt)));
      service.destroy();
    });
    client.on("close", () => service.destroy());
    service.on("close", () => client.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    responses,
    cutNext(count, part) {
      [cuts, cutAt] = [count, part];
    },
  };
}

const firstLine = (bytes: Buffer): string => bytes.toString("latin1").split("\r\n")[0] ?? "";
