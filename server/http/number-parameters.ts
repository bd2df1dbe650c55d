import Type, { type TSchema } from "typebox";

/** Returns the parameters of a row's query whose values are numbers. */
export function numberParametersOf(query: TSchema): string[] {
  const properties = Type.IsObject(query) ? Object.entries(query.properties) : [];
  return properties.filter(([, schema]) => Type.IsInteger(schema) || Type.IsNumber(schema)).map(([name]) => name);
}

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/**
 * Replaces the texts of number parameters by their numbers. What is not written in plain digits becomes NaN, which no schema
 * allows. Ajv would convert whatever JavaScript reads as a number: `1e999` would become Infinity, past every bound.
 */
export function convertNumbers(query: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = query[name];
    if (typeof text === "string") query[name] = PLAIN.test(text) ? Number(text) : Number.NaN;
  }
}
