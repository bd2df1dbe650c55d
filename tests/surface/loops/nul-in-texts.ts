import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { endpointEntries, endpointGroups } from "../../../contract/index.ts";
import { openApi } from "../../../server/http/openapi/document.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample, sampleOf } from "../call.ts";
import type { Loop } from "./loop.ts";

const document = JSON.parse(JSON.stringify(openApi(endpointGroups, "http://127.0.0.1:3000")));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "d");

type Body = Readonly<Record<string, unknown>>;

const schemaOf = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;

/** The body with more characters in its first text; undefined if it has no text of its own choosing. */
function withMore(id: string, body: Body, more: string): Body | undefined {
  const schema = document.components.schemas[schemaOf(id)];
  const name = Object.keys(body).find((key) => {
    const { type, enum: values, format, $ref } = schema.properties?.[key] ?? {};
    return [type].flat().includes("string") && !values && !format && !$ref && typeof body[key] === "string";
  });
  return name === undefined ? undefined : { ...body, [name]: `${body[name]}${more}` };
}

export const nulsAreRefused: Loop = {
  title: "a NUL in a text of %s is refused by the service and by its description",
  endpoints: endpointEntries.filter(([, { body }]) => body !== undefined),
  async check({ app, world }, [id]) {
    const sent = sampleOf(id, world).body ?? {};
    const describes = ajv.compile({ $ref: `d#/components/schemas/${schemaOf(id)}` });
    expect([describes(sent), describes.errors]).toEqual([true, null]);
    const body = withMore(id, sent, "\0");
    if (body === undefined) return;
    expect(describes(body)).toBe(false);
    await changesNothing(app, async () => {
      expect((await callSample(app, id, world, { body })).status).toBe(400);
      expect((await callSample(app, id, world, { body: withMore(id, sent, "\ud800") })).status).toBe(400);
    });
  },
};
