import { expect } from "vitest";
import { stable } from "./stable.ts";

/** Compares an answer as it came over the wire with what the page shows of it, in which an ellipsis stands for the rest. */
export function expectShown(wire: string, shown: string): void {
  const [head = "", body = ""] = wire.split("\r\n\r\n");
  const [shownHead = "", shownBody = ""] = shown.split("\n\n");
  const [status, ...lines] = head.split("\r\n");
  const [shownStatus, ...shownLines] = shownHead.split("\n");
  expect(status?.trim()).toBe(shownStatus);
  for (const line of shownLines) expect(lines.map((one) => one.toLowerCase())).toContain(line.toLowerCase());
  expectPart(JSON.parse(body), parseShown(shownBody));
}

const MORE = "…";

/** The page's JSON, with the ellipses as members. */
const parseShown = (text: string): unknown =>
  JSON.parse(text.replace(/… (\d+) more/g, `"${MORE} $1 more"`).replace(/, …(?=\s*})/g, `, "${MORE}": true`));

function expectPart(actual: unknown, shown: unknown): void {
  if (Array.isArray(shown)) {
    const list = actual as unknown[];
    const rest = /^… (\d+) more$/.exec(String(shown.at(-1)))?.[1];
    const items = rest === undefined ? shown : shown.slice(0, -1);
    expect(list).toHaveLength(items.length + Number(rest ?? 0));
    for (const [at, item] of items.entries()) expectPart(list[at], item);
  } else if (typeof shown === "object" && shown !== null) {
    const { [MORE]: isPart, ...fields } = shown as Record<string, unknown>;
    const all = actual as Record<string, unknown>;
    if (isPart) expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(fields)));
    else expect(Object.keys(all)).toEqual(Object.keys(fields));
    for (const [name, value] of Object.entries(fields)) expectPart(all[name], value);
  } else if (typeof shown === "string" && shown.endsWith(MORE)) {
    const [begin, whole] = [stable(shown).replace(MORE, ""), stable(String(actual))];
    expect(whole.slice(0, begin.length)).toBe(begin);
  } else
    expect(typeof actual === "string" ? stable(actual) : actual).toEqual(
      typeof shown === "string" ? stable(shown) : shown,
    );
}
