import type { ExportedEstimation } from "../shape.ts";

/**
 * The entity property of an issue that names its task. People do not see it and cannot remove it with the text; it is set
 * by the request that makes the issue. Source: Jira Cloud, "Entity properties".
 */
export const PROPERTY = "estimation-task";

export const propertyOf = (marker: string) => ({ key: PROPERTY, value: { marker } });

/** Returns the marker in the properties of an issue; null: there is none. */
export function markerIn(properties: unknown): string | null {
  const value = (properties as Record<string, unknown> | null | undefined)?.[PROPERTY];
  const marker = (value as { marker?: unknown } | null | undefined)?.marker;
  return typeof marker === "string" ? marker : null;
}

/** The label of an estimation's issues, by which people find them; it stays the same when the title changes. */
export const labelOf = ({ id }: Pick<ExportedEstimation, "id">): string => `estimation-${id.slice(-12)}`;
