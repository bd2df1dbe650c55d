import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Json } from "../../../contract/portable.ts";
import type { Examples } from "./examples.ts";
import { json } from "./json-content.ts";
import { sentSchema } from "./sent-schema.ts";

const nameOf = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;

/** Returns the schemas of bodies of requests, by name. */
export const requestSchemas = (endpoints: Readonly<Record<string, Endpoint>>): Json =>
  Object.fromEntries(
    Object.entries(endpoints).flatMap(([id, { body }]) => (body ? [[nameOf(id), sentSchema(body)]] : [])),
  );

/** Returns the body that requests to endpoint `id` have. */
export const requestBody = (id: string, { bodyOptional }: Endpoint, { body }: Examples): Json => ({
  required: !bodyOptional,
  content: json({ $ref: `#/components/schemas/${nameOf(id)}` }, body),
});
