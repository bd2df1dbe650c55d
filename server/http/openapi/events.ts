import { deliveryHeaders } from "../../../contract/delivery-headers.ts";
import { type EventName, envelopeAliases, eventNames, events } from "../../../contract/events.ts";
import { Id, Shape, Timestamp } from "../../../contract/shapes.ts";
import { type Json, portable } from "./portable.ts";

/** The heading of the events. */
export const eventTag = {
  name: "Events",
  description: "What the service sends to the URLs of webhooks. Answer with any 2xx status within the time-out.",
} as const;

const camel = (name: EventName): string =>
  name.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** Returns the schemas of the bodies of deliveries: the data of each event, and its envelope. */
export const eventSchemas = (): Json =>
  Object.fromEntries(
    eventNames.flatMap((name) => [
      [`${camel(name)}Data`, { ...(portable(events[name].data) as Json), description: events[name].when }],
      [`${camel(name)}Envelope`, portable(envelopeOf(name))],
    ]),
  );

function envelopeOf(name: EventName) {
  const fields: Readonly<Record<string, unknown>> = events[name].data.properties;
  const aliases = Object.entries(envelopeAliases(name)).map(([alias, field]) => [alias, fields[field]]);
  return Shape(
    {
      id: Id("delivery", "The delivery, as in `X-Service-Delivery`"),
      event: { type: "string", const: name },
      createdAt: { ...Timestamp, description: "When the event happened" },
      data: Shape({ ...events[name].data.properties, ...Object.fromEntries(aliases) }),
    },
    { description: events[name].when },
  );
}

const DELIVERY = "wd_01k6z0c9v3e8rbt5w2yq4nmhxd";

function envelopeExample(name: EventName): Json {
  const data: Readonly<Record<string, unknown>> = events[name].example;
  const aliases = Object.entries(envelopeAliases(name)).map(([alias, field]) => [alias, data[field]]);
  return {
    id: DELIVERY,
    event: name,
    createdAt: "2026-01-31T09:30:00.000Z",
    data: { ...data, ...Object.fromEntries(aliases) },
  };
}

/** Returns the operations of receivers, one for each event. */
export const eventOperations = (): Json =>
  Object.fromEntries(eventNames.map((name) => [name, { post: operationOf(name) }]));

const operationOf = (name: EventName): Json => ({
  operationId: `on${camel(name)}`,
  summary: events[name].when,
  description: `The body is the data of the event, or an envelope with the data in it, as \`bodyFormat\` of the webhook says.${events[name].subscribable ? "" : " It cannot be subscribed to."}`,
  tags: [eventTag.name],
  security: [],
  parameters: Object.entries(deliveryHeaders).map(([header, { description, example }]) => ({
    name: header,
    in: "header",
    required: true,
    description,
    schema: header === "X-Service-Event" ? { type: "string", const: name } : { type: "string" },
    example: header === "X-Service-Event" ? name : example,
  })),
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { oneOf: ["Data", "Envelope"].map((form) => ({ $ref: `#/components/schemas/${camel(name)}${form}` })) },
        examples: {
          data: { summary: "`bodyFormat` is `data`", value: events[name].example },
          envelope: { summary: "`bodyFormat` is `envelope`", value: envelopeExample(name) },
        },
      },
    },
  },
  responses: {
    "2XX": { description: "Received. The body is kept in the log of deliveries, but not read" },
    default: { description: "Not received: the delivery is tried again, at most three times in all" },
  },
});
