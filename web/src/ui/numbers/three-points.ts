import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { numberStyle } from "./format.ts";

/** Returns three points as they stand in a field. */
export const fieldPoints = ({ optimistic, likely, pessimistic }: ThreePoint): string =>
  [optimistic, likely, pessimistic].map(numberStyle.write).join("-");
