import type { ThreePoint } from "../../../../../domain/tree/shape.ts";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import { markedTexts as t } from "./texts.ts";

/** Returns three points as they are read: `4–16–34`, or one number where all are equal. */
export function pointsText({ optimistic, likely, pessimistic }: ThreePoint): string {
  const points = optimistic === pessimistic ? [likely] : [optimistic, likely, pessimistic];
  return points.map(formatExactHours).join("–");
}

const isPoints = (value: unknown): value is ThreePoint =>
  typeof value === "object" && value !== null && "optimistic" in value;

/** Returns the value of a field in words; `titleOf` names the options that links lead to. */
export function valueText(value: unknown, titleOf: (id: string) => string): string {
  if (value === null || value === undefined || value === "") return t.nothing;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") return formatExactHours(value);
  if (Array.isArray(value)) return value.length === 0 ? t.nothing : value.map((id) => titleOf(String(id))).join(", ");
  return isPoints(value) ? pointsText(value) : typeof value === "string" ? value : JSON.stringify(value);
}
