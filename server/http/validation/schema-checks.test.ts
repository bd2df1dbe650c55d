import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { successesOf } from "../../../contract/endpoint.ts";
import { eventNames, events } from "../../../contract/events.ts";
import { components, endpointRows } from "../../../contract/index.ts";
import { responsesData } from "../response/response-schema.ts";

test("every schema of the contract is valid, which is not checked at a start", () => {
  const rows = endpointRows.flatMap(([id, row]) => [
    ...(row.body ? [[`${id} body`, row.body] as const] : []),
    ...(row.query ? [[`${id} query`, row.query] as const] : []),
    ...(responsesData(row)
      ? successesOf(row.response).map(({ status, data }) => [`${id} ${status}`, data] as const)
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
