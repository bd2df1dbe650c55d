import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ApiError, clientOf, ForeignResponse } from "./client-of.ts";

const rows = { ask: { method: "GET", path: "/ask", response: {} } };

/** Returns a call to a server that gives this response; without one, it never responds. */
async function asking(sent?: { readonly status: number; readonly body: string }) {
  const server = createServer((_, response) => {
    if (sent) response.writeHead(sent.status, { "retry-after": "7" }).end(sent.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = clientOf(rows as never, `http://127.0.0.1:${port}`, () => null) as unknown as {
    readonly ask: (request: { readonly signal?: AbortSignal }) => Promise<unknown>;
  };
  return (signal?: AbortSignal) => client.ask({ ...(signal && { signal }) }).catch((error: unknown) => error);
}

test.each([
  { status: 413, body: "<html><h1>413 Request Entity Too Large</h1></html>" },
  { status: 502, body: "" },
  { status: 403, body: '{"error":"blocked"}' },
  { status: 200, body: "<html>Sign in to the hotel's network</html>" },
  { status: 500, body: "null" },
])("a response that is not the service's is reported as such, with its status: $status $body", async (sent) => {
  const error = await (await asking(sent))();
  expect(error).toBeInstanceOf(ForeignResponse);
  expect(error).toMatchObject({ status: sent.status });
  expect((error as ForeignResponse).headers.get("retry-after")).toBe("7");
});

test("a refusal of the service has its message", async () => {
  const error = await (await asking({ status: 413, body: '{"success":false,"message":"payload_too_large"}' }))();
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 413, body: { message: "payload_too_large" } });
});

test("a signal ends a request that gets no response", async () => {
  expect(await (await asking())(AbortSignal.timeout(20))).toMatchObject({ name: "TimeoutError" });
});
