import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createClient } from "../../contract/client/client.ts";
import { clientOf } from "../../contract/client/client-of.ts";
import { routes } from "../../contract/client/routes.gen.ts";
import type { Contract } from "../../contract/index.ts";
import { CLIENT_ROUTES_FILE, clientRoutes } from "../../scripts/client-routes.ts";

test("the routes of browsers are generated from the contract", () => {
  expect(readFileSync(CLIENT_ROUTES_FILE, "utf8")).toBe(clientRoutes());
});

test("a client with the generated routes sends the same as one with the contract", async () => {
  const sent: string[][] = [[], []];
  const record = (log: string[] | undefined) => async (url: string | URL | Request, init?: RequestInit) => {
    log?.push(`${init?.method} ${url} ${init?.body}`);
    return Response.json({ success: true, data: {} });
  };
  const clients = [
    createClient("", () => null, record(sent[0])),
    clientOf<Contract>(routes, "", () => null, record(sent[1])),
  ];
  expect(Object.keys(clients[1] ?? {})).toEqual(Object.keys(clients[0] ?? {}));
  for (const client of clients) {
    await client.listEstimations({ query: { q: "a b", tag: ["x", "y"] } });
    await client.updateEstimation({ params: { id: "est/1" }, body: { title: "T" } });
    await client.exportEstimation({ params: { id: "est_1" }, query: { format: "csv" } });
  }
  expect(sent[1]).toEqual(sent[0]);
});
