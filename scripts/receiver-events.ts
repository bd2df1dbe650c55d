/** Generates the receiver's event types from the catalogue, so that they are declared only once. */
import type { TSchema } from "typebox";
import { type EventName, envelopeAliases, eventNames, events } from "../contract/events.ts";

export const RECEIVER_EVENTS_FILE = "receiver/events.gen.ts";

interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The types that a field of an event's data may have. Add a new one to the receiver first. */
const TYPES: Readonly<Record<string, string>> = { string: "string", integer: "number", number: "number" };

function typeOf(event: EventName, field: string, schema: { type?: unknown }): string {
  const type = TYPES[String(schema.type)];
  if (type === undefined) throw new Error(`${event}: the receiver has no type for the field ${field}`);
  return type;
}

/** Returns the fields of the schema, then those that only the envelope has. */
function fieldsOf(event: EventName): Field[] {
  const { data } = events[event];
  const properties = data.properties as Readonly<Record<string, TSchema & { type?: string; description?: string }>>;
  const required: readonly string[] = data.required;
  const declared = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(event, name, schema),
    required: required.includes(name),
    description: schema.description ?? "",
  }));
  const added = Object.entries(envelopeAliases(event)).map(([name, field]) => ({
    name,
    type: typeOf(event, field, properties[field] ?? {}),
    required: false,
    description: `What \`${field}\` carries; in the envelope only`,
  }));
  return [...declared, ...added];
}

const interfaceName = (event: string): string =>
  `${event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Data`;

const describeInterface = (event: EventName): string[] => [
  `/** ${events[event].when}. */`,
  `export interface ${interfaceName(event)} {`,
  ...fieldsOf(event).flatMap(({ name, type, required, description }) => [
    `  /** ${description}. */`,
    `  readonly ${name}${required ? "" : "?"}: ${type};`,
  ]),
  "}",
  "",
];

const describeFields = (event: EventName): string[] => [
  `  "${event}": {`,
  ...fieldsOf(event)
    .filter(({ required }) => required)
    .map(({ name, type }) => `    ${name}: "${type}",`),
  "  },",
];

/** Returns the file's text. */
export function receiverEvents(): string {
  return [
    "// Generated from contract/events.ts: npm run generate",
    "",
    ...eventNames.flatMap(describeInterface),
    "/** What `data` holds, by the name of the event. */",
    "export interface WebhookEventData {",
    ...eventNames.map((event) => `  readonly "${event}": ${interfaceName(event)};`),
    "}",
    "",
    "/** The fields that `data` of an event always has, with what `typeof` says of them. */",
    "export const eventFields = {",
    ...eventNames.flatMap(describeFields),
    "} as const;",
    "",
  ].join("\n");
}
