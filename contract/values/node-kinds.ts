/** How a question is answered. Apart from the schemas, so that a browser can load it alone. */
export const nodeKinds = ["single", "multi", "group"] as const;
export type NodeKind = (typeof nodeKinds)[number];
