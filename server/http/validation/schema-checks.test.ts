import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { successesOf } from "../../../contract/endpoint.ts";
import { eventNames, events } from "../../../contract/events.ts";
import { components, endpointEntries } from "../../../contract/index.ts";
import { responsesData } from "../response/response-schema.ts";

test("every schema of the contract is valid, which is not checked at a start", () => {
  const rows = endpointEntries.flatMap(([id, endpoint]) => [
    ...(endpoint.body ? [[`${id} body`, endpoint.body] as const] : []),
    ...(endpoint.query ? [[`${id} query`, endpoint.query] as const] : []),
    ...(responsesData(endpoint)
      ? successesOf(endpoint.response).map(({ status, data }) => [`${id} ${status}`, data] as const)
      : []),
  ]);
  const schemas = [
    ...rows,
    ...components.map((schema) => [schema.$id, schema] as const),
    ...eventNames.map((name) => [name, events[name].data] as const),
  ];
  const ajv = new Ajv();
  for (const [name, schema] of schemas) expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).toBe(true);
  expect(ajv.validateSchema({ type: "strng" })).toBe(false);
});
