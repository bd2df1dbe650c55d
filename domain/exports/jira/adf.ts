/** A node of the Atlassian Document Format, with the parts that are used here. */
export interface AdfNode {
  readonly type: string;
  readonly text?: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly marks?: readonly AdfMark[];
  readonly content?: readonly AdfNode[];
}

export interface AdfMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
}

export const text = (value: string, marks: readonly AdfMark[] = []): AdfNode =>
  marks.length === 0 ? { type: "text", text: value } : { type: "text", text: value, marks };

export const paragraph = (content: readonly AdfNode[]): AdfNode => ({ type: "paragraph", content });

/** Values that mean the same as their absence: Jira adds them, or leaves them out. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  order: 1,
  colspan: 1,
  rowspan: 1,
  isNumberColumnEnabled: false,
  layout: "default",
  // Of line breaks, code and tables, as the editor saves them.
  text: "\n",
  hideLineNumbers: false,
  __autoSize: false,
};
/** Attributes that Jira generates. */
const MADE_UP: ReadonlySet<string> = new Set(["localId", "width", "displayMode"]);

/**
 * Returns a document as canonical JSON: two documents with the same content have the same text, whatever Jira or its editor has added. Unknown parts stay, so that nothing that people add is overlooked.
 *
 * @param content nodes below the document
 */
export const canonical = (content: readonly AdfNode[]): string =>
  JSON.stringify({ type: "doc", version: 1, content: settledAll(content) });

/** Returns the content of an untrusted document; null: it is not a document. */
export function contentOf(document: unknown): readonly AdfNode[] | null {
  if (!isNode(document) || document.type !== "doc") return null;
  return childrenOf(document);
}

const isNode = (value: unknown): value is AdfNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

const childrenOf = ({ content }: AdfNode): readonly AdfNode[] => (Array.isArray(content) ? content.filter(isNode) : []);

/** Nodes deeper than any editor makes are left out, because the document is untrusted. */
const DEPTH_MAX = 100;

function settledAll(nodes: readonly AdfNode[], depth = 0): AdfNode[] {
  const settled: AdfNode[] = [];
  for (const node of depth > DEPTH_MAX ? [] : nodes) {
    const one = settledNode(node, depth);
    const last = settled.at(-1);
    if (one.type === "text" && one.text === "") continue;
    if (last?.type === "text" && one.type === "text" && JSON.stringify(last.marks) === JSON.stringify(one.marks))
      settled[settled.length - 1] = { ...last, text: `${last.text}${one.text}` };
    else settled.push(one);
  }
  return settled;
}

function settledNode(node: AdfNode, depth: number): AdfNode {
  const { type } = node;
  const attrs = settledAttrs(node.attrs);
  const marks = (Array.isArray(node.marks) ? (node.marks as readonly AdfMark[]) : [])
    .filter((mark) => typeof mark?.type === "string")
    .map((mark) => ({ type: mark.type, ...settledAttrs(mark.attrs) }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
  if (type === "text") {
    return { type, text: String(node.text ?? ""), ...attrs, ...(marks.length > 0 ? { marks } : {}) };
  }
  const content = settledAll(childrenOf(node), depth + 1);
  return {
    type,
    ...attrs,
    ...(content.length > 0 || CONTAINERS.has(type) ? { content } : {}),
    ...(marks.length > 0 ? { marks } : {}),
  };
}

/** Nodes that may be empty, but must have `content`. */
const CONTAINERS: ReadonlySet<string> = new Set(["paragraph"]);

function settledAttrs(attrs: AdfNode["attrs"]): { attrs?: Record<string, unknown> } {
  const kept = Object.entries(attrs ?? {})
    .filter(([name, value]) => value !== null && value !== undefined && value !== "" && DEFAULTS[name] !== value)
    .filter(([name]) => !MADE_UP.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return kept.length === 0 ? {} : { attrs: Object.fromEntries(kept) };
}
