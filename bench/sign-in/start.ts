import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request as send } from "node:http";
import { fileURLToPath } from "node:url";
import { benchDatabase } from "../database.ts";

export const PASSWORD = "correct horse battery";

export interface Service {
  /** Sends a request over a persistent connection and returns its status, body and duration in milliseconds. */
  call(method: string, path: string, more?: { token?: string; body?: unknown }): Promise<Timed>;
  /** Registers a user and returns its token. */
  register(email: string): Promise<string>;
  stop(): Promise<void>;
}

export interface Timed {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** The service on a database of its own, in another process than what measures it. */
export async function startForBench(): Promise<Service> {
  const database = await benchDatabase();
  const file = fileURLToPath(new URL("./service.ts", import.meta.url));
  const child: ChildProcess = fork(file, [JSON.stringify(database.connection), database.dataDir]);
  const failed = once(child, "exit").then(() => {
    throw new Error("the service did not start");
  });
  const [{ url }] = (await Promise.race([once(child, "message"), failed])) as [{ url: string }];
  failed.catch(() => {});
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });

  const call: Service["call"] = (method, path, { token, body } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { "content-type": "application/json" } : {}),
      };
      const begin = performance.now();
      const request = send(url + path, { method, agent, headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - begin }));
      });
      request.on("error", reject);
      request.end(body ? JSON.stringify(body) : undefined);
    });

  return {
    call,
    async register(email) {
      const { status, text } = await call("POST", "/api/auth/register", { body: { email, password: PASSWORD } });
      if (status !== 201) throw new Error(`registering returned ${status}: ${text}`);
      return JSON.parse(text).data.token;
    },
    async stop() {
      agent.destroy();
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await database.stop();
    },
  };
}

/** The value below which the part `share` of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
