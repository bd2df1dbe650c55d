import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { type Endpoint, errorsOf, methodsOf, scopesOf } from "../../contract/endpoint.ts";
import { errorRow } from "../../contract/errors.ts";
import { endpointEntries } from "../../contract/index.ts";
import { levelsWith } from "../../domain/access.ts";
import { type Json, start } from "../harness.ts";
import { type EndpointEntry, entryOf } from "./call.ts";

const app = await start();
const { body, text } = await app.request("GET", "/api/openapi.json");

test("is a valid OpenAPI 3.1 description", async () => {
  const result = await new Validator().validate(JSON.parse(text));
  expect(result).toMatchObject({ valid: true });
  expect(body.openapi).toBe("3.1.0");
  expect(body.servers?.[0]?.url).toBe(app.services.config.baseUrl);
});

/** Throws if `description` lacks something about a row that a caller needs. */
function expectDescribed(description: Json, [id, endpoint]: EndpointEntry): void {
  const operation = description.paths?.[formOf(endpoint)]?.[endpoint.method.toLowerCase()];
  expect(operation?.operationId).toBe(id);
  const wanted = scopesOf(endpoint.access);
  expect(operation?.["x-required-scope"] ?? []).toEqual(wanted);
  expect(JSON.stringify(operation?.security)).toContain(endpoint.access === "anyone" ? "[]" : "session");
  if (wanted.length > 0) expect(operation?.security).toContainEqual({ apiKey: [] });
  for (const scope of wanted) expect(operation?.description).toContain(`\`${scope}\``);
  expect(operation?.["x-required-access"] ?? []).toEqual(endpoint.right ? levelsWith(endpoint.right) : []);
  const { responses } = operation ?? {};
  expect(responses?.[endpoint.response.status], "the success").toBeDefined();
  for (const key of errorsOf(endpoint)) {
    const { status, message } = errorRow(key);
    const name = String(responses?.[status]?.$ref).replace("#/components/responses/", "");
    const response = JSON.stringify(description.components?.responses?.[name]) ?? "";
    expect(response + schemasOf(description, response), key).toContain(JSON.stringify(message));
  }
}

const formOf = ({ path }: Endpoint): string => path.replace(/:([A-Za-z]+)/g, "{$1}");

/** The schemas that a part of the description refers to, as text. */
const schemasOf = ({ components }: Json, part: string): string =>
  [...part.matchAll(/schemas\/(\w+)"/g)].map(([, name = ""]) => JSON.stringify(components?.schemas?.[name])).join();

test.each(endpointEntries)("describes %s with its scope, its success and every error that it can return", (...row) =>
  expectDescribed(body, row),
);

test.each<[string, (operation: Record<string, unknown> & { responses: Record<string, unknown> }) => void, string]>([
  ["another id", (operation) => Object.assign(operation, { operationId: "updateTask2" }), "updateTask2"],
  ["no scope", (operation) => delete operation["x-required-scope"], "tasks:write"],
  ["no security", (operation) => Object.assign(operation, { security: [] }), "session"],
  ["no level", (operation) => delete operation["x-required-access"], "owner"],
  ["no success", ({ responses }) => delete responses[200], "the success"],
  ["no conflict", ({ responses }) => delete responses[412], "revision_mismatch"],
])("finds a description with %s", (_, spoil, complaint) => {
  const spoilt = JSON.parse(text);
  const row = entryOf("updateTask");
  expectDescribed(spoilt, row);
  spoil(spoilt.paths[formOf(row[1])].put);
  expect(() => expectDescribed(spoilt, row)).toThrow(complaint);
});

test("describes nothing else", () => {
  const described = Object.values(JSON.parse(text).paths).flatMap((operations) => Object.keys(operations as object));
  expect(described).toHaveLength(endpointEntries.flatMap(([, row]) => methodsOf(row)).length);
});

test("has no reference to a missing part", () => {
  const { components } = JSON.parse(text);
  for (const [, kind = "", name = ""] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    expect(components[kind]).toHaveProperty([name]);
  }
  expect(text).not.toMatch(/"\$ref":"[^#]/);
});

test("the reference page shows every endpoint and event, loads nothing and runs nothing", async () => {
  const page = await app.request("GET", "/docs");
  expect(page.status).toBe(200);
  for (const [id, { path }] of endpointEntries) {
    expect(page.text).toContain(`id="${id}"`);
    expect(page.text).toContain(path);
  }
  expect(page.text).not.toMatch(/<script|<link|<img|src=/);
});

test("the committed description is the one that is served, except for the address", () => {
  const committed = readFileSync(new URL("../../docs/openapi.gen.json", import.meta.url), "utf8");
  expect(JSON.parse(text.replaceAll(app.services.config.baseUrl, "http://127.0.0.1:3000"))).toEqual(
    JSON.parse(committed),
  );
});

test("describes the details of every error that has some, in every operation that can return it", () => {
  const { components } = JSON.parse(text);
  const mismatch = components.schemas.RevisionMismatchError;
  expect(mismatch.required).toContain("details");
  expect(mismatch.properties.details).toMatchObject({ required: ["revision"], additionalProperties: false });
  const schemas = Object.values(components.schemas) as { properties?: { message?: { const?: string } } }[];
  const described = schemas.flatMap(({ properties }) => properties?.message?.const ?? []);
  const always = ["bad_request", "method_not_allowed", "header_fields_too_large", "transfer_coding_unknown"] as const;
  const declared = new Set([
    ...always,
    "internal_error" as const,
    ...endpointEntries.flatMap(([, row]) => errorsOf(row)),
  ]);
  expect(described.sort()).toEqual([...declared].map((key) => errorRow(key).message).sort());
  expect(components.responses.revision_mismatch.content["application/json"].schema).toEqual({
    $ref: "#/components/schemas/RevisionMismatchError",
  });
});

test("requires the rows of errors that always have some", () => {
  const { schemas } = JSON.parse(text).components;
  for (const name of ["ValidationFailedError", "TreeIncompleteError"]) {
    expect(schemas[name].required, name).toContain("errors");
    expect(schemas[name].properties.errors.minItems, name).toBe(1);
  }
  expect(schemas.NotFoundError.properties).not.toHaveProperty("errors");
});
