import type { TSchema } from "typebox";

interface Plain {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Plain>>;
  readonly items?: Plain;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly readOnly?: boolean;
}

/** Example values of fields with these names; for other fields the type decides. */
const BY_NAME: Readonly<Record<string, string | number>> = {
  actualHours: 11.5,
  avatarUrl: "https://example.com/noor.png",
  clientName: "Nordlicht Outdoor GmbH",
  code: "the code from the address",
  correlation: 0.2,
  currency: "EUR",
  description: "What is meant, and what is not",
  expected: 14,
  hourlyRate: 112,
  hours: 14,
  likely: 13,
  name: "Noor Haddad",
  optimistic: 8,
  pessimistic: 24,
  plaintext: "svc_live_…",
  position: 0,
  prefix: "svc_live_k3J",
  ref: "cards",
  role: "backend",
  secret: "whsec_…",
  tags: "web",
  title: "Payment by card",
  unit: "screen",
};

/** Lists of ids of other objects in the same tree. */
const LINKS = ["requires", "excludes"];

const ID_BODY = "01k6z0c9v3e8rbt5w2yq4nmhxd";

/** Returns an example value that matches a schema, for the reference. Recursive references are left out. */
export function exampleOf(schema: TSchema, components: readonly TSchema[]): unknown {
  return build("", schema as Plain, components as readonly Plain[], []);
}

function build(name: string, schema: Plain, components: readonly Plain[], open: readonly string[]): unknown {
  if (schema.$ref !== undefined) {
    const id = schema.$ref.slice(0, -1);
    const target = components.find(({ $id }) => $id === id);
    return target && !open.includes(id) ? build(name, target, components, [...open, id]) : undefined;
  }
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === "object") {
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([key, field]) => !field.readOnly && !namesWhatExists(key, field),
    );
    return Object.fromEntries(fields.map(([key, field]) => [key, build(key, field, components, open)]));
  }
  if (type === "array" && LINKS.includes(name)) return [];
  if (type === "array") return [build(name, schema.items ?? {}, components, open)].filter((item) => item !== undefined);
  const known = BY_NAME[name];
  if (typeof known === (type === "integer" ? "number" : type)) return known;
  if (type === "string") return text(name, schema);
  if (type === "boolean") return true;
  return type === "number" || type === "integer" ? Math.max(schema.minimum ?? 0, 1) : null;
}

/**
 * Returns whether a field of a request names an existing object: the service creates ids, so an example cannot know
 * them.
 */
const namesWhatExists = (name: string, { type, pattern }: Plain): boolean =>
  name === "id" && type === "string" && pattern === undefined;

function text(name: string, { pattern, format }: Plain): string {
  const prefix = /^\^([a-z]{2,4})_\[/.exec(pattern ?? "")?.[1];
  if (prefix) return `${prefix}_${ID_BODY}`;
  if (format === "date-time") return "2026-01-31T09:30:00.000Z";
  if (format === "uri" || /url$/i.test(name)) return "https://example.com/hook";
  if (/email/i.test(name)) return "ada@example.com";
  if (/password/i.test(name)) return "correct horse battery";
  return name;
}
