/** Reads fields of untrusted JSON: a missing one, or one of another type, is null. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : null;
}

export function textIn(value: unknown, name: string): string | null {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : null;
}

export function integerIn(value: unknown, name: string): number | null {
  const field = fieldOf(value, name);
  return Number.isSafeInteger(field) ? (field as number) : null;
}

export function dateIn(value: unknown, name: string): Date | null {
  const at = Date.parse(textIn(value, name) ?? "");
  return Number.isNaN(at) ? null : new Date(at);
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}
