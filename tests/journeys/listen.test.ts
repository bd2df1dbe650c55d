import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { sign, verify } from "../../receiver/index.ts";
import { start, until } from "../harness.ts";
import { runProgram } from "../support/program.ts";

const main = fileURLToPath(new URL("../../tour/listen.ts", import.meta.url));
const app = await start({ worker: true });
const { dataDir } = app.services.config;
const { token } = await app.signUp();

/** Runs `npm run listen` as npm does, and returns it with the address that it prints. */
async function listen(...options: string[]) {
  const program = runProgram([process.execPath, main, "--port", "0", ...options], { env: { DATA_DIR: dataDir } });
  const [, url = ""] = await program.shows(/Receiving webhooks at (\S+)\n/);
  return { ...program, url };
}

async function register(url: string) {
  const { status, data } = await app.request("POST", "/api/webhooks", { token, body: { url, events: [] } });
  expect(status).toBe(201);
  const path = `/api/webhooks/${data.webhook?.id}`;
  return {
    secret: String(data.secret),
    /** Sends a test and returns the first attempt at it. */
    async send() {
      const sent = await app.request("POST", `${path}/test`, { token });
      const delivery = `${path}/deliveries/${sent.data.delivery?.id}`;
      return await until(async () => {
        const { data } = await app.request("GET", delivery, { token });
        const attempts = data.delivery?.attempts as unknown as { responseStatus: number }[] | undefined;
        return attempts?.[0];
      });
    },
  };
}

interface Got {
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A program on this machine that responds with `status`. */
async function startProgram(status: number) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    got.push({ path: request.url, headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end("from the program");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, got, close: () => new Promise((done) => server.close(done)) };
}

describe("npm run listen", () => {
  test("receives from the service, verifies with the pasted secret, and ends without a trace", async () => {
    const listener = await listen();
    const webhook = await register(`${listener.url}/hook?a=b`);
    expect(await webhook.send()).toMatchObject({ responseStatus: 204 });
    await listener.shows(/POST \/hook\?a=b HTTP\/1\.1\n[\s\S]*"event":"webhook\.test"[\s\S]*\nNot verified: /);
    listener.write(`  ${webhook.secret}\n`);
    await listener.shows(/Verifying with 1 secret\./);
    expect(await webhook.send()).toMatchObject({ responseStatus: 204 });
    await listener.shows(/Both signatures are right\./);
    expect(listener.printed.out).not.toContain(webhook.secret);
    listener.send("SIGINT");
    expect([await listener.ended, listener.printed.err]).toEqual([0, ""]);
    expect(existsSync(join(dataDir, "trusted-ca"))).toBe(false);
  });

  test("does not touch authorities that it did not add", async () => {
    const folder = join(dataDir, "trusted-ca");
    mkdirSync(folder);
    writeFileSync(join(folder, "own.pem"), "");
    const listener = await listen();
    listener.send("SIGTERM");
    expect([await listener.ended, existsSync(join(folder, "own.pem"))]).toEqual([0, true]);
  });

  test("reports a request that is forged, old, or from another webhook", async () => {
    const listener = await listen("--http");
    expect(listener.url).toMatch(/^http:\/\/localhost:\d+$/);
    const secret = "whsec_dGhlIHNlY3JldCBvZiBhIHRlc3QsIDMyIGJ5dGVzLi4=";
    listener.write(`nonsense\n${secret}\n`);
    await listener.shows(/That is no secret of a webhook[\s\S]*Verifying with 1 secret/);
    const post = async (body: string, headers: Record<string, string>) =>
      (await fetch(listener.url, { method: "POST", body, headers })).status;
    const event = "webhook.test";
    expect(await post("{}", await sign("{}", secret, { event }))).toBe(204);
    await listener.shows(/Both signatures are right\./);
    await post("{ }", await sign("{}", secret, { event }));
    await listener.shows(/NOT genuine: X-Service-Signature does not match the body\./);
    await post("{}", await sign("{}", secret, { event, now: () => new Date(0) }));
    await listener.shows(/NOT genuine: webhook-timestamp is too far from now\./);
    expect(await post("x".repeat(1024 * 1024 + 1), {})).toBe(413);
    expect((await fetch(listener.url)).status).toBe(405);
    expect(listener.printed.out.match(/Both signatures/g)).toHaveLength(1);
  });

  test("forwards requests to a local port, and the program's response to the service", async () => {
    const program = await startProgram(418);
    const listener = await listen("--forward", String(program.port));
    const webhook = await register(`${listener.url}/hook?a=b`);
    expect(await webhook.send()).toMatchObject({ responseStatus: 418, responseBody: "from the program" });
    await listener.shows(/responded 418\./);
    const [{ path, headers, body } = { path: "", headers: {}, body: Buffer.of() }] = program.got;
    expect(path).toBe("/hook?a=b");
    expect(headers.host).toBe(`127.0.0.1:${program.port}`);
    const now = () => app.clock.now();
    expect(await verify(body, headers, webhook.secret, { now })).toMatchObject({ event: "webhook.test" });
    await program.close();
    expect(await webhook.send()).toMatchObject({ responseStatus: 502 });
    await listener.shows(/did not respond \(ECONNREFUSED\): the service gets 502\./);
  });

  test.each([
    [["--port", "x"], "--port x is no port"],
    [["--port", "70000"], "--port 70000 is no port"],
    [["--forward", "0"], "--forward 0 is neither a port nor a URL"],
    [["--forward", "nowhere"], "--forward nowhere is neither a port nor a URL"],
  ])("refuses %j with one line", async (options, line) => {
    const program = runProgram([process.execPath, main, ...options], { env: { DATA_DIR: dataDir } });
    expect([await program.ended, program.printed.err]).toEqual([1, `listen: ${line}\n`]);
  });

  test("says which port is in use", async () => {
    const { port } = await startProgram(200);
    const program = runProgram([process.execPath, main, "--port", String(port)], { env: { DATA_DIR: dataDir } });
    expect(await program.ended).toBe(1);
    expect(program.printed.err).toBe(`listen: port ${port} is in use: name another one with --port\n`);
  });
});
