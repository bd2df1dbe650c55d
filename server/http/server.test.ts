import { connect } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { loadConfig } from "../config.ts";
import { createServer } from "./server.ts";

test("a request that does not arrive in time is answered with 408 in the envelope", async () => {
  const app = createServer({ config: loadConfig({}), log: pino({ level: "silent" }) }, 200);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(Number(new URL(app.listeningOrigin).port), "127.0.0.1", () => {
      socket.write("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n");
    });
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"message":"request_timeout"/);
  await app.close();
});
