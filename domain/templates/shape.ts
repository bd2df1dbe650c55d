import type { Node, Option } from "../tree/shape.ts";

/** An option of a template: the fields of an option, without the selection. */
export interface TemplateOption extends Omit<Option, "selected" | "override" | "origin" | "nodes"> {
  nodes: TemplateNode[];
}

/** A node of a template. */
export interface TemplateNode extends Omit<Node, "options" | "origin"> {
  options: TemplateOption[];
}

/** The structure of a tree, with ids of its own. */
export interface TemplateTree {
  nodes: TemplateNode[];
}
