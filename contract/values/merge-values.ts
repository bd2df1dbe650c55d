import Type, { type TSchema } from "typebox";
import { createEstimationBody } from "../endpoints/estimations.ts";
import { limits } from "../limits.ts";
import { Nullable, Shape } from "../shapes.ts";
import { nodeFields, optionFields, pointProperties } from "./tree.ts";

const { requires: _, excludes: __, ...ofOption } = optionFields;
const { min, max, ...ofNode } = nodeFields;
const points = Nullable(Shape(pointProperties));
const { tags: ___, ...ofSetting } = createEstimationBody.properties;

/**
 * The schema of a value that decides a conflict of kind `changed`, by target and unit. Other kinds are decided by
 * choosing a side.
 */
export const unitValues: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  node: { ...ofNode, bounds: Shape({ min, max }), choice: Nullable(Type.String({ maxLength: limits.refLength })) },
  option: { ...ofOption, hours: points, override: points, selected: Type.Boolean() },
  setting: ofSetting,
};
