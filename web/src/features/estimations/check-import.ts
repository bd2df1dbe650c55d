import { limits } from "../../../../contract/limits.ts";
import { currencies } from "../../../../contract/values/currencies.ts";
import { nodeKinds } from "../../../../contract/values/node-kinds.ts";
import { roundings } from "../../../../contract/values/roundings.ts";
import type { PathFault } from "../../../../domain/transfer/content.ts";
import { hasTwoDecimals } from "../../../../domain/tree/hours/round.ts";

type Fault = Pick<PathFault, "message" | "code"> | null;
type Rule = (value: unknown) => Fault;

const wrong = (message: string): Fault => ({ message });

const text =
  (most: number): Rule =>
  (value) =>
    typeof value !== "string"
      ? wrong("must be text")
      : value.length > most
        ? wrong(`must have at most ${most} characters`)
        : null;
const title =
  (most: number): Rule =>
  (value) =>
    typeof value !== "string" || value.trim() === "" ? wrong("must be a text") : text(most)(value);
const number =
  (most: number): Rule =>
  (value) =>
    typeof value !== "number" || value < 0 || value > most ? wrong(`must be from 0 to ${most}`) : null;
const oneOf =
  (values: readonly unknown[], message = `must be one of ${values.join(", ")}`): Rule =>
  (value) =>
    values.includes(value) ? null : wrong(message);
const flag: Rule = (value) => (typeof value === "boolean" ? null : wrong("must be true or false"));
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? null : rule(value);
const money: Rule = (value) =>
  number(limits.hourlyRateMax)(value) ??
  (hasTwoDecimals(Number(value)) ? null : wrong("must have at most two decimals"));
const tags: Rule = (value) => {
  if (!Array.isArray(value)) return wrong("must be a list of texts");
  if (value.length > limits.tags) return wrong(`can be at most ${limits.tags}`);
  const bad = value.map(title(limits.tagLength)).find((fault) => fault !== null);
  return bad ?? (new Set(value).size < value.length ? wrong("must not be given twice") : null);
};
const points: Rule = (value) => {
  if (typeof value === "number") return null;
  const { optimistic, likely, pessimistic } = (value ?? {}) as Record<string, unknown>;
  const isWhole = [optimistic, likely, pessimistic].every((each) => typeof each === "number");
  return isWhole ? null : wrong("must be a number, or have optimistic, likely and pessimistic");
};
const anything: Rule = () => null;

/** What a request to import takes; what the rules of trees check (order of hours, bounds, links) is left to them. */
const rules: Readonly<Record<"estimation" | "node" | "option", Readonly<Record<string, Rule>>>> = {
  estimation: {
    title: title(limits.titleLength),
    description: text(limits.descriptionLength),
    assumptions: text(limits.descriptionLength),
    clientName: orNull(text(limits.clientNameLength)),
    tags,
    hourlyRate: orNull(money),
    currency: orNull(oneOf(currencies, "must be a three-letter currency code of ISO 4217")),
    correlation: number(1),
    rounding: oneOf(roundings),
  },
  node: {
    title: title(limits.nodeTitleLength),
    description: text(limits.descriptionLength),
    kind: oneOf(nodeKinds),
    required: flag,
  },
  option: {
    title: title(limits.nodeTitleLength),
    description: text(limits.descriptionLength),
    hours: orNull(points),
    override: orNull(points),
    quantity: number(limits.quantityMax),
    unit: orNull(text(limits.unitLength)),
    role: orNull(text(limits.roleLength)),
    selected: flag,
    requires: (value) => (Array.isArray(value) ? null : wrong("must be a list")),
    excludes: (value) => (Array.isArray(value) ? null : wrong("must be a list")),
    nodes: anything,
  },
};

/** Checks each field of what is to be imported as the service does. */
export function checkImport(file: unknown): readonly PathFault[] {
  const faults: PathFault[] = [];
  const check = (kind: keyof typeof rules, value: unknown, path: string): Record<string, unknown> => {
    const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    for (const [name, rule] of Object.entries(rules[kind])) {
      const isNeeded = name === "title" || (kind === "node" && name === "kind");
      const fault = fields[name] === undefined && !isNeeded ? null : rule(fields[name]);
      if (fault) faults.push({ path: `${path}/${name}`, ...fault });
    }
    return fields;
  };
  const list = (value: unknown, path: string, isNeeded: boolean): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    if (isNeeded || value !== undefined) faults.push({ path, message: "must be a list" });
    return [];
  };
  const checkNodes = (nodes: readonly unknown[], path: string, depth = 1): void => {
    if (depth > limits.treeDepth) return void faults.push({ path, message: "is nested too deeply" });
    for (const [index, each] of nodes.entries()) {
      const node = check("node", each, `${path}/${index}`);
      for (const [at, one] of list(node.options, `${path}/${index}/options`, false).entries()) {
        const below = `${path}/${index}/options/${at}`;
        const inner = list(check("option", one, below).nodes, `${below}/nodes`, false);
        if (inner.length > 0) checkNodes(inner, `${below}/nodes`, depth + 1);
      }
    }
  };
  const { estimation, tree } = (file ?? {}) as { estimation?: unknown; tree?: { nodes?: unknown } };
  const { hourlyRate = null, currency = null } = check("estimation", estimation, "/estimation");
  if (hourlyRate !== null && currency === null)
    faults.push({ path: "/estimation/currency", message: "is required where hourlyRate is set" });
  checkNodes(list(tree?.nodes, "/tree/nodes", true), "/tree/nodes");
  return faults;
}
