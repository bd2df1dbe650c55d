import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../web/src", import.meta.url));

/** Attributes whose text a person reads or hears. */
const READ =
  /^(label|title|placeholder|alt|description|text|hint|error|action|summary|aria-(label|description|roledescription|valuetext))$/;

interface SyntaxNode {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: { readonly name?: string };
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const hasWord = (value: unknown): value is string => typeof value === "string" && /\p{L}{2}/u.test(value);

/** Returns the texts between tags, and those of attributes that are read. */
function textsIn(node: SyntaxNode): string[] {
  const own: string[] = [];
  if (node.type === "JSXText" && hasWord(node.value)) own.push(node.value.trim());
  if (
    node.type === "JSXAttribute" &&
    READ.test(String(node.name?.name)) &&
    isNode(node.value) &&
    hasWord(node.value.value)
  )
    own.push(node.value.value);
  if (node.type === "JSXExpressionContainer") {
    const { expression } = node as unknown as { readonly expression: SyntaxNode };
    if (expression.type === "Literal" && hasWord(expression.value)) own.push(expression.value);
  }
  const inner = Object.values(node).flat().filter(isNode);
  return [...own, ...inner.flatMap(textsIn)];
}

const parse = (source: string) => parseAst(source, { lang: "tsx" }) as unknown as SyntaxNode;
const read = (source: string) => textsIn(parse(source));

test("a text that is written where it shows is found", () => {
  expect(read('const a = <p title="No">Yes <b aria-label={t.x} className="no">{"Perhaps"}</b> – 3 h</p>;')).toEqual([
    "No",
    "Yes",
    "Perhaps",
  ]);
});

test("texts that a person reads are in the files of texts", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((name) =>
    read(readFileSync(join(folder, name), "utf8")).map((text) => `${name}: ${text}`),
  );
  expect(found).toEqual([]);
});

test("numbers and times are formatted in the locale of the page, in one place", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  const written =
    /\.toFixed\(|\.toLocale(Date|Time)?String\(|\.toPrecision\(|new Intl\.(Number|DateTime|RelativeTime)Format/;
  const found = files.filter((name) => written.test(readFileSync(join(folder, name), "utf8")));
  // The curve writes coordinates; the last one reads the clock of a time zone.
  expect(found.toSorted()).toEqual([
    "features/trees/panels/curve-shape.ts",
    "ui/numbers/format.ts",
    "ui/numbers/number-style.ts",
    "ui/numbers/zone-offset.ts",
  ]);
});

/** Components of libraries that give `title` to the element that they render. */
const PASSING = /^(Button|LinkButton|UnstyledButton|Link|\w*Input|Textarea|NativeSelect)$/;

/** Returns the elements whose `title` a browser shows to the pointer only. */
function titledIn(node: SyntaxNode): string[] {
  const { name, attributes = [] } = node as unknown as { name?: { name?: string }; attributes?: SyntaxNode[] };
  const tag = String(name?.name);
  const isNative = node.type === "JSXOpeningElement" && (/^[a-z]/.test(tag) || PASSING.test(tag)) && tag !== "iframe";
  const isTitled = isNative && attributes.some((attribute) => attribute.name?.name === "title");
  const inner = Object.values(node).flat().filter(isNode);
  return [...(isTitled ? [tag] : []), ...inner.flatMap(titledIn)];
}

test("hints are tooltips that the keyboard and touch reach, never titles", () => {
  const planted = 'const a = <Page title={t}><p title="No">1</p><Button title={t.x} /><iframe title="Yes" /></Page>;';
  expect(titledIn(parse(planted))).toEqual(["p", "Button"]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  const found = files.flatMap((name) =>
    titledIn(parse(readFileSync(join(folder, name), "utf8"))).map((tag) => `${name}: <${tag}>`),
  );
  expect(found).toEqual([]);
});
