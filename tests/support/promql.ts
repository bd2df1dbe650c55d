/** A metric as an expression of Prometheus uses it. */
export interface Use {
  readonly name: string;
  /** Labels of the selector with the values that it names, of a regular expression each alternative. */
  readonly labels: readonly (readonly [label: string, value: string])[];
}

/** Words of the language. */
const WORDS = new Set(["and", "or", "unless", "by", "without", "on", "ignoring", "bool", "offset", "inf", "nan"]);

/** Returns the metrics that an expression names, and the labels by which it groups. */
export function readExpression(expr: string): { readonly uses: Use[]; readonly groups: string[] } {
  const groups = [...expr.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  );
  const plain = expr.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, " ");
  const uses = [...plain.matchAll(/(?<![\w$"|])([a-z_][a-z_0-9]*)(?:\{([^}]*)\})?(?!\s*\()(?![\w"|])/g)]
    .filter(([, name = ""]) => !WORDS.has(name) && !/^\d/.test(name))
    .map(([, name = "", selector = ""]) => ({
      name,
      labels: [...selector.matchAll(/(\w+)\s*(=~|!~|=|!=)\s*"([^"]*)"/g)].flatMap(([, label = "", , value = ""]) =>
        value.split("|").map((one) => [label, one] as const),
      ),
    }));
  return { uses, groups };
}
