import type { Node, Option } from "../../../../../domain/tree/shape.ts";

/** An option with everything that it holds by default. */
export const option = (id: string, title: string, more: Partial<Option> = {}): Option => ({
  id,
  title,
  description: "",
  hours: null,
  quantity: 1,
  unit: null,
  role: null,
  requires: [],
  excludes: [],
  selected: false,
  override: null,
  nodes: [],
  ...more,
});

/** A question with everything that it holds by default. */
export const node = (id: string, title: string, options: Option[] = [], more: Partial<Node> = {}): Node => ({
  id,
  title,
  description: "",
  kind: "single",
  required: false,
  min: null,
  max: null,
  options,
  ...more,
});
