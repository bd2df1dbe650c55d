import { type EventName, envelopeAliases, eventNames, events } from "../../../contract/events.ts";
import { type Json, portable } from "../../../contract/portable.ts";
import { Id, Shape, Timestamp } from "../../../contract/shapes.ts";
import { type DeliveryHeader, deliveryHeaders, EXAMPLE_SECRET } from "../../../contract/values/delivery-headers.ts";
import { signatureHeaders, signingKeys } from "../../platform/webhook-signature.ts";

/** The heading of the events. */
export const eventTag = {
  name: "Events",
  description: `What the service sends to the URLs of webhooks. Respond with any 2xx status within the timeout. \
The signatures of the examples are made with the secret \`${EXAMPLE_SECRET}\`, of the first example of the body, written \
as JSON without spaces and line breaks.`,
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
const MOMENT = "2026-01-31T09:30:00.000Z";

/** Returns the headers of the first attempt to deliver the example of an event, as they would be sent. */
const headersOf = (name: EventName): Readonly<Record<DeliveryHeader, string>> => ({
  "X-Service-Event": name,
  "X-Service-Delivery": DELIVERY,
  ...signatureHeaders({
    deliveryId: DELIVERY,
    at: new Date(MOMENT),
    body: JSON.stringify(events[name].example),
    keys: [signingKeys(EXAMPLE_SECRET)],
  }),
});

function envelopeExample(name: EventName): Json {
  const data: Readonly<Record<string, unknown>> = events[name].example;
  const aliases = Object.entries(envelopeAliases(name)).map(([alias, field]) => [alias, data[field]]);
  return {
    id: DELIVERY,
    event: name,
    createdAt: MOMENT,
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
  parameters: Object.entries(headersOf(name)).map(([header, example]) => ({
    name: header,
    in: "header",
    required: true,
    description: deliveryHeaders[header as DeliveryHeader].description,
    schema: header === "X-Service-Event" ? { type: "string", const: name } : { type: "string" },
    example,
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
    "2XX": { description: "Received. The body is stored in the log of deliveries, but not interpreted" },
    default: {
      description:
        "Not received: the delivery is tried again after the pauses that the instance is configured with (`WEBHOOK_RETRY_DELAYS`), up to its number of attempts (`WEBHOOK_MAX_ATTEMPTS`, 3 by default)",
    },
  },
});
