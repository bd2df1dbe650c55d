import { useState } from "react";
import { type Description, resolve, type Schema } from "./description.ts";
import { Line } from "./prose.tsx";
import styles from "./reference-page.module.css";
import { referenceTexts as t } from "./texts.ts";

const nameOf = ({ $ref }: Schema) => $ref?.split("/").at(-1);

/** Returns the type of a schema in one line, such as `array of Task` or `string (date-time)`. */
export function typeText(schema: Schema): string {
  const named = nameOf(schema);
  if (named !== undefined) return named;
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.map(typeText).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = [schema.type ?? t.anything].flat();
  const shown = types.map((type) => (type === "array" && schema.items ? `array of ${typeText(schema.items)}` : type));
  return shown.join(" | ") + (schema.format ? ` (${schema.format})` : "");
}

const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${most}${unit}`];
  return [most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`];
};

/** Returns the limits of a value in words. */
function limitsText(schema: Schema): string {
  return [
    ...range(schema.minimum, schema.maximum, ""),
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minItems, schema.maxItems, " items"),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(", ");
}

/** The object whose fields a schema leads to: its own, or those of its items. */
function objectOf(description: Description, schema: Schema): Schema | undefined {
  const resolved = resolve<Schema>(description, schema as { readonly $ref: string });
  if (resolved.properties) return resolved;
  return resolved.items ? objectOf(description, resolved.items) : undefined;
}

interface SchemaProps {
  readonly description: Description;
  readonly schema: Schema;
}

/** The fields of an object; those of the objects in it open on request, as a node may contain nodes. */
export function SchemaView({ description, schema }: SchemaProps) {
  const object = objectOf(description, schema);
  if (object === undefined) return <code className={styles.type}>{typeText(schema)}</code>;
  return (
    <ul className={styles.fields}>
      {Object.entries(object.properties ?? {}).map(([name, field]) => (
        <Field
          key={name}
          description={description}
          name={name}
          schema={field}
          isRequired={object.required?.includes(name) ?? false}
        />
      ))}
    </ul>
  );
}

interface FieldProps extends SchemaProps {
  readonly name: string;
  readonly isRequired: boolean;
}

function Field({ description, name, schema, isRequired }: FieldProps) {
  const limits = limitsText(schema);
  const inner = objectOf(description, schema);
  return (
    <li>
      <code className={styles.name}>{name}</code> <span className={styles.type}>{typeText(schema)}</span>
      {isRequired && <span className={styles.tag}>{t.required}</span>}
      {limits && <span className={styles.limits}>{limits}</span>}
      {schema.description && (
        <p className={styles.note}>
          <Line text={schema.description} />
        </p>
      )}
      {inner && <Opened label={`${t.fields}: ${name}`} description={description} schema={schema} />}
    </li>
  );
}

const Opened = ({ label, description, schema }: SchemaProps & { readonly label: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <SchemaView description={description} schema={schema} />}
    </details>
  );
};
