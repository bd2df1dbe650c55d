import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { endpointEntries, endpointGroups } from "../../contract/index.ts";
import { openApi } from "../../server/http/openapi/document.ts";
import { loops } from "./loops/index.ts";
import { setStage } from "./loops/stage.ts";

const document = JSON.parse(JSON.stringify(openApi(endpointGroups, "http://127.0.0.1:3000")));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "d");
const stage = await setStage();
const { app } = stage;
const judge = (pointer: string) => ajv.compile({ $ref: `d#${pointer}` });

interface Responses {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly $ref?: string }>>;
}

test("every operation declares 429 for too many requests and 503 for too much work", () => {
  const operations = Object.values<Record<string, Responses>>(document.paths).flatMap((path) => Object.values(path));
  const declared = operations.filter(({ operationId }) => operationId !== undefined);
  expect(declared.length).toBeGreaterThanOrEqual(endpointEntries.length);
  const lacking = declared.flatMap(({ operationId, responses }) =>
    ["429", "503"]
      .filter((status) => {
        const given = responses[status];
        const found = given?.$ref ? document.components.responses[given.$ref.split("/").at(-1) ?? ""] : given;
        return !found?.headers?.["Retry-After"];
      })
      .map((status) => `${operationId} ${status}`),
  );
  expect(lacking).toEqual([]);
});

test("the description states what patterns cannot express about half a surrogate pair", () => {
  expect(document.info.description).toContain("half a surrogate pair");
});

const { title, endpoints, check } = loops.nulsAreRefused;
test.each(endpoints)(title, (...entry) => check(stage, entry));

const tags = ['"6"', "*", 'W/"6", "7-gzip"', "6", '"6', '"6" "7"', ""] as const;
const keys = ["a", "~!", "", "a b", "ü", "x".repeat(255), "x".repeat(256)] as const;
const urls = ["https://example.com/x", "HTTPS://example.com", "http://example.com", "https://a b", "https://a.b/#c"];

test("headers and addresses are described as the service reads them", async () => {
  const { token } = await app.signUp();
  const made = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const path = `/api/estimations/${made.data.estimation?.id}`;
  const inHeader = (name: string) => judge(`/components/parameters/${name}/schema`);
  for (const tag of tags) {
    const { status } = await app.request("GET", path, { token, headers: { "if-none-match": tag } });
    if (tag !== "") expect([tag, status !== 400]).toEqual([tag, inHeader("IfNoneMatch")(tag)]);
  }
  for (const key of keys.filter((text) => /^[\x20-\x7e]+$/.test(text))) {
    const headers = { "idempotency-key": key };
    const { status } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" }, headers });
    expect([key, status !== 400]).toEqual([key, inHeader("IdempotencyKey")(key)]);
  }
  for (const url of urls) {
    const { status } = await app.request("POST", "/api/webhooks", { token, body: { url, events: [] } });
    const described = judge("/components/schemas/CreateWebhookRequest")({ url, events: [] });
    expect([url, status !== 400]).toEqual([url, described]);
  }
  for (const baseUrl of [...urls, "https://example.com/?q=1", "example.com"]) {
    const body = { target: "github", name: "Issues", baseUrl, token: "secret" };
    const { status } = await app.request("POST", "/api/connections", { token, body });
    const described = judge("/components/schemas/CreateConnectionRequest")(body);
    expect([baseUrl, status !== 400]).toEqual([baseUrl, described]);
  }
});
