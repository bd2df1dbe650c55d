import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import type { Response, Sending, Stage } from "./attack.ts";

/** Every address of 127.0.0.0/8 is this machine: the attacker's is another one than the innocent users'. */
const ATTACKER = "127.0.0.66";

/** A stage that is to be closed. */
interface OpenStage extends Stage {
  close(): void;
}

/** Gives an attack its means. */
export function setStage({ url, dataDir, signal }: Pick<Stage, "url" | "dataDir" | "signal">): OpenStage {
  // The attacker's own work is not what is measured: elsewhere it would have a machine of its own.
  setPriority(process.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const agent = new Agent({ keepAlive: true });

  const send = async (method: string, path: string, { token, body, headers = {} }: Sending = {}): Promise<Response> => {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const sent = request(url + path, {
      method,
      agent,
      localAddress: ATTACKER,
      signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    try {
      const responded = once(sent, "response");
      sent.end(body === undefined || raw ? body : JSON.stringify(body));
      const [response] = await responded;
      return { status: response.statusCode, text: await text(response) };
    } catch {
      return { status: 0, text: "" };
    }
  };

  return {
    url,
    dataDir,
    signal,
    send,
    async signUp() {
      const body = { email: `${randomUUID()}@example.com`, password: "correct horse battery" };
      const response = await send("POST", "/api/auth/register", { body });
      const { data } = JSON.parse(response.text);
      return { token: data.token };
    },
    async repeat(atOnce, work) {
      const one = async () => {
        while (!signal.aborted) await work();
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    },
    close: () => agent.destroy(),
  };
}
