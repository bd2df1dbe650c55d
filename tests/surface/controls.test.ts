import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../web/src", import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
const read = (name: string) => readFileSync(join(folder, name), "utf8");
/** All that is not the one layer of components. */
const modules = names.filter((name) => /^(app|features)\/.*\.tsx$/.test(name));

/** Elements of the browser for which there is a component, or whose look and behaviour only `ui/` decides. */
const OWN =
  /<(select|textarea|dialog|input)\b(?:=>|[^>=]|=(?!>))*>|\bshowModal\(|role="(?:menu|tooltip|dialog)"|\btitle=(?=["{])/g;
/** An input that nothing is typed into. */
const NOT_TYPED = /\btype="(checkbox|radio|file|hidden)"/;

/** Returns the elements of a module that a component of `ui/` should stand for. */
function ownElements(module: string): string[] {
  return [...module.matchAll(OWN)]
    .filter(([element, name]) => !(name === "input" && NOT_TYPED.test(element)) && !element.startsWith("title="))
    .map(([element, name]) => (name ? `<${name}>` : element));
}

/** Returns the classes of buttons and of what is typed into or chosen from, with the names by which the module has the styles. */
const classesOf = (module: string): [string, string][] =>
  [
    ...module.matchAll(
      /<(?:button|input|select|textarea|Input|LongInput|Select|ToolButton|TextButton|Menu)\b((?:=>|[^>=]|=(?!>))*)>/g,
    ),
  ]
    .flatMap(([, attributes = ""]) => /className=(\{`[^`]*`|\{[^}]*)/.exec(attributes)?.[1] ?? [])
    .flatMap((value) => [...value.matchAll(/\b(\w+)\.(\w+)\b/g)])
    .map(([, styles = "", name = ""]) => [styles, name]);

/** Returns the selectors of a style that draw a border round what has the class `name`, or round all controls of something. */
function bordersOf(style: string, name: string | null): string[] {
  const rules = [...style.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{};]+)\{([^{}]*)\}/g)];
  const isOf =
    name === null ? /(?:^|[\s>)])(?:button|input|select|textarea)[^\s]*$/ : new RegExp(`\\.${name}(?![\\w-])[^\\s>]*$`);
  return rules
    .filter(([, , body = ""]) =>
      /(?:^|[\s;])border(?:-(?:top|bottom|left|right|block|inline|width))?:\s*(?![\s0]|none|inherit)/.test(body),
    )
    .flatMap(([, selectors = ""]) => selectors.split(","))
    .map((selector) => selector.trim())
    .filter((selector) => isOf.test(selector) && !/::(before|after)$/.test(selector));
}

/** Text that is typed where it stands, in a cell of the tree or in the line of a palette: it has the frame of what is around it. */
const IN_PLACE = ["features/trees/outline/cell-input.tsx", "features/palette/palette.tsx"];

test("an element that a component should stand for is found", () => {
  const module = '<input value={a} onChange={() => b} /> <textarea rows={3} /> <dialog open /> <div role="menu" />';
  expect(ownElements(module)).toEqual(["<input>", "<textarea>", "<dialog>", 'role="menu"']);
  expect(ownElements('<input type="checkbox" /> <Select value="" /> <Dialog title="A" />')).toEqual([]);
});

test("a border of a control is found", () => {
  expect(classesOf("<button onClick={() => a} className={`$" + "{styles.one} $" + "{page.two}`}>")).toEqual([
    ["styles", "one"],
    ["page", "two"],
  ]);
  const style =
    ".one { border: 1px solid red } .one:hover, .b .one[aria-pressed] { border-bottom: 2px solid } .ones { border: 1px }";
  expect(bordersOf(style, "one")).toEqual([".one", ".one:hover", ".b .one[aria-pressed]"]);
  expect(bordersOf(".one { border: 0; border-color: red; border-radius: 3px } .one .a { border: 1px }", "one")).toEqual(
    [],
  );
  expect(
    bordersOf(".a input:not([b]) { border: 1px } .c > button { border: 1px } .input { border: 1px }", null),
  ).toEqual([".a input:not([b])", ".c > button"]);
});

test("only ui/ has dialogs, menus, tooltips, and fields to type into and choose from", () => {
  const found = modules
    .filter((name) => !IN_PLACE.includes(name))
    .flatMap((name) => ownElements(read(name)).map((element) => `${name}: ${element}`));
  expect(found).toEqual([]);
  expect(modules.length).toBeGreaterThan(150);
});

test("only ui/ draws the borders of buttons and fields", () => {
  const ofClasses = modules
    .filter((name) => !IN_PLACE.includes(name))
    .flatMap((name) => {
      const module = read(name);
      const files = new Map(
        [...module.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].map(([, styles = "", path = ""]) => [
          styles,
          normalize(join(dirname(name), path)),
        ]),
      );
      return classesOf(module).flatMap(([styles, one]) => {
        const file = files.get(styles);
        return file === undefined || file.startsWith("ui/")
          ? []
          : bordersOf(read(file), one).map((rule) => `${file}: ${rule}`);
      });
    });
  const ofElements = names
    .filter((name) => /^(app|features)\/.*\.css$/.test(name))
    .flatMap((name) => bordersOf(read(name), null).map((rule) => `${name}: ${rule}`));
  expect([...new Set([...ofClasses, ...ofElements])]).toEqual([]);
});

test("every component of the library that is in use has its styles", () => {
  const used = names
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [...read(name).matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)])
    .flatMap(([, imported = ""]) => imported.match(/\w+/g) ?? []);
  expect(used).toContain("Button");
  const imported = read("app/mantine.ts");
  const isWithout = (name: string) => {
    const style = `@mantine/core/styles/${name}.css`;
    return existsSync(join(folder, "../../node_modules", style)) && !imported.includes(style);
  };
  expect([...new Set(used)].filter(isWithout)).toEqual([]);
});
