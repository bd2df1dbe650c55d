import { describe, expect, test } from "vitest";
import { type Endpoint, methodsOf, successesOf } from "../../contract/endpoint.ts";
import { type ErrorKey, errorKeys, errorRow } from "../../contract/errors.ts";
import { contract, endpointEntries, endpointGroups } from "../../contract/index.ts";
import { Shape } from "../../contract/shapes.ts";
import { faultColumns } from "../../contract/values/faults.ts";
import { openApi } from "../../server/http/openapi/document.ts";
import { type Examples, examplesOf } from "../../server/http/openapi/examples.ts";
import { createAjv } from "../../server/http/validation/schema-checks.ts";
import type { EndpointEntry } from "./call.ts";

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly description?: string;
}

const document = JSON.parse(JSON.stringify(openApi(endpointGroups, "http://127.0.0.1:3000")));
const ajv = createAjv();

/** What the description lacks about the operation of a row, each with what to do about it. */
function parametersMissed({ path, method }: Endpoint, { paths } = document): string[] {
  const { parameters } = paths[path.replace(/:([A-Za-z]+)/g, "{$1}")][method.toLowerCase()];
  return (parameters as Parameter[])
    .filter(({ $ref, description }) => !$ref && !description)
    .map(({ in: place, name }) =>
      place === "path"
        ? `say in \`params\` of the row what :${name} is, or add its kind to \`idPrefixes\``
        : `give the schema of the query parameter ${name} a description`,
    );
}

function fieldsMissed({ body }: Endpoint): string[] {
  const fields = Object.entries(
    ((body ?? {}) as { properties?: Record<string, { description?: string; $ref?: string }> }).properties ?? {},
  );
  return fields
    .filter(([, { description, $ref }]) => !description && !$ref)
    .map(([name]) => `give the schema of the field ${name} of the body a description`);
}

const GENERATE = "run `npm run generate`, which plays its sample (`tests/surface/samples`)";

function examplesMissed({ body, response }: Endpoint, { body: sent, responses }: Examples): string[] {
  const missed: string[] = [];
  if (body && sent === undefined) missed.push(`there is no example of its body: ${GENERATE}`);
  if (body && sent !== undefined && !ajv.validate(body, sent))
    missed.push(`the example of its body is refused (${ajv.errorsText()}): ${GENERATE}`);
  if (!("data" in response)) return missed;
  for (const { status, data } of successesOf(response)) {
    if (responses[status] === undefined) missed.push(`there is no example of its response ${status}: ${GENERATE}`);
    else if (!ajv.validate(data, responses[status]))
      missed.push(`the example of its response ${status} has another shape (${ajv.errorsText()}): ${GENERATE}`);
  }
  return missed;
}

describe.each(endpointEntries)("%s", (...[id, endpoint]: EndpointEntry) => {
  test("has a description of every parameter", () => expect(parametersMissed(endpoint)).toEqual([]));
  test("has a description of every field of its body", () => expect(fieldsMissed(endpoint)).toEqual([]));
  test("has examples that it accepts and returns", () => expect(examplesMissed(endpoint, examplesOf(id))).toEqual([]));
});

describe("finds", () => {
  test("a parameter without a description", () => {
    const spoilt = structuredClone(document);
    const { parameters } = spoilt.paths["/api/webhooks/{id}/deliveries"].get;
    for (const parameter of parameters as { description?: string }[]) delete parameter.description;
    expect(parametersMissed(contract.listDeliveries, spoilt)).toEqual([
      expect.stringContaining(":id"),
      ...["status", "event", "limit", "cursor"].map((name) => expect.stringContaining(`query parameter ${name}`)),
    ]);
  });

  test("a field without a description", () => {
    const body = { ...contract.moveOption.body, properties: { nodeId: { type: "string" } } };
    expect(fieldsMissed({ ...contract.moveOption, body })).toEqual([expect.stringContaining("the field nodeId")]);
  });

  test("an example that is missing or wrong", () => {
    expect(examplesMissed(contract.createApiKey, { responses: {} })).toHaveLength(2);
    expect(examplesMissed(contract.createApiKey, { body: { name: "" }, responses: { 201: {} } })).toHaveLength(2);
  });
});

test("every method of an endpoint is described, with the same tag", () => {
  for (const { title, endpoints } of endpointGroups) {
    for (const { path, ...endpoint } of Object.values(endpoints)) {
      const operations = document.paths[path.replace(/:([A-Za-z]+)/g, "{$1}")];
      for (const method of methodsOf({ path, ...endpoint }))
        expect(operations[method.toLowerCase()].tags).toEqual([title]);
    }
  }
});

test("every tag has a description, and is in one group", () => {
  const tags = document.tags as { name: string; description: string }[];
  for (const { name, description } of tags) expect(description, name).toMatch(/\w+ .*\.$/);
  const grouped = (document["x-tagGroups"] as { tags: string[] }[]).flatMap((group) => group.tags);
  expect(grouped.sort()).toEqual(tags.map(({ name }) => name).sort());
});

test.each(errorKeys.filter((key) => mustSay(key)))("the error %s has an example of its details", (key) => {
  const { details, columns, example } = errorRow(key);
  expect(example, "give its row in `contract/errors.ts` an `example`").toBeDefined();
  if (details) expect(ajv.validate(details, example?.details), ajv.errorsText()).toBe(true);
  const rows = example?.errors ?? [];
  if (!columns) return;
  expect(rows).not.toEqual([]);
  for (const row of rows)
    expect(ajv.validate(Shape({ ...faultColumns, ...columns }), row), ajv.errorsText()).toBe(true);
});

function mustSay(key: ErrorKey): boolean {
  const { details, columns } = errorRow(key);
  return columns !== undefined || ((details as { required?: string[] } | undefined)?.required ?? []).length > 0;
}

/** Every object in `value`, itself included. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside];
}

test("percentiles of examples rise, and hours of examples are not all the same", () => {
  const figures = endpointEntries
    .flatMap(([id]) => objectsIn(examplesOf(id)))
    .filter((object) => typeof object.p50 === "number" && "expected" in object && !("optionId" in object));
  expect(figures.length).toBeGreaterThan(20);
  for (const { p50, p80, p90, p95 } of figures)
    expect([p50, p80, p90, p95]).toEqual([p50, p80, p90, p95].toSorted((a, b) => Number(a) - Number(b)));
  expect(figures.some(({ p50, p95 }) => Number(p50) < Number(p95))).toBe(true);
});

test("the reference uses no `multipleOf`, which validators judge wrongly", () => {
  expect(JSON.stringify(document)).not.toContain("multipleOf");
});
