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

const ID_BODY = "01k6z0c9v3e8rbt5w2yq4nmhxd";

/** A value that fits a schema, for the reference. What refers back to something already open is left out. */
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
    const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => !field.readOnly);
    return Object.fromEntries(fields.map(([key, field]) => [key, build(key, field, components, open)]));
  }
  if (type === "array") return [build(name, schema.items ?? {}, components, open)].filter((item) => item !== undefined);
  if (type === "string") return text(name, schema);
  if (type === "boolean") return true;
  return type === "number" || type === "integer" ? Math.max(schema.minimum ?? 0, name === "position" ? 0 : 1) : null;
}

function text(name: string, { pattern, format }: Plain): string {
  const prefix = /^\^([a-z]{2,4})_\[/.exec(pattern ?? "")?.[1];
  if (prefix) return `${prefix}_${ID_BODY}`;
  if (format === "date-time") return "2026-01-31T09:30:00.000Z";
  if (format === "uri" || /url$/i.test(name)) return "https://example.com/hook";
  if (/email/i.test(name)) return "ada@example.com";
  if (/password/i.test(name)) return "correct horse battery";
  return name === "currency" ? "EUR" : name;
}
