/**
 * What an attack costs where the server does nothing: `node:http` that reads bodies and repeats answers. It is sent the
 * answers that the service gave to the same attack, by method and shape of path.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer } from "./attack.ts";
import { shapeOf } from "./shape-of.ts";

/** After this long a request that has not ended is dropped, as the service does it. */
const UNFINISHED_MS = 2_000;

let answers: Readonly<Record<string, Answer>> = {};
process.on("message", (message: typeof answers) => {
  answers = message;
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => process.exit(0));

const server = createServer((request, response) => {
  const late = setTimeout(() => request.destroy(), UNFINISHED_MS);
  request.on("error", () => {}).on("close", () => clearTimeout(late));
  request.resume().on("end", () => {
    const { status, text } = answers[shapeOf(request.method ?? "", request.url ?? "")] ?? { status: 200, text: "{}" };
    response.writeHead(status || 503, { "content-type": "application/json" }).end(text);
  });
});
server.listen(0, "127.0.0.1", () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
