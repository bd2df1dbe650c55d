import { eachLine } from "../each-line.ts";
import { lengthFault, type OutlineLine, readItemLine } from "./line.ts";

/** Whether a text is an outline of Org: headings of several stars, settings or drawers. */
export const isOrg = (text: string): boolean =>
  /(?:^|[\r\n])(?:\*{2,} \S|#\+\w+:|[ \t]*:PROPERTIES:[ \t]*(?:$|[\r\n]))/i.test(text);

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly text: string;
  hours: string | null;
}

interface Drawer {
  readonly name: string;
  readonly line: number;
  /** Its properties that are left out. */
  readonly others: string[];
}

/** Names of properties that a message lists. */
const LISTED = 5;

/** Yields the lines of an outline of Org that are not empty. */
export function* orgLines(text: string): Generator<OutlineLine> {
  /** Waits for its drawer, which may have its hours. */
  let heading: Heading | null = null;
  let drawer: Drawer | null = null;
  let line = 0;
  for (const raw of eachLine(text)) {
    line += 1;
    const content = raw.trim();
    if (drawer !== null) {
      if (/^:END:$/i.test(content)) {
        if (drawer.others.length > 0) yield skippedDrawer(drawer);
        drawer = null;
      } else readProperty(drawer, heading, content);
      continue;
    }
    const [, name] = /^:([\w-]+):$/.exec(content) ?? [];
    if (name !== undefined) {
      drawer = { name, line, others: [] };
      continue;
    }
    if (content === "") continue;
    const read = readOrg(raw, content, line);
    // Between a heading and its drawer stand only its dates.
    if (heading !== null && read.some(({ kind }) => kind !== "skipped")) {
      yield headingOf(heading);
      heading = null;
    }
    for (const each of read) {
      if (each.kind === "heading") heading = { ...each, hours: null };
      else yield each;
    }
  }
  if (heading !== null) yield headingOf(heading);
  if (drawer !== null)
    yield { kind: "refused", line: drawer.line, message: "has a drawer without an end: write :END:" };
}

function headingOf({ hours, line, level, text }: Heading): OutlineLine {
  if (hours === null) return { kind: "heading", line, level, text };
  // Anything else would become a part of the title.
  if (!/^[\d.]/.test(hours))
    return { kind: "refused", line, message: "has an effort that is not understood: write 2:30 or 1d" };
  return { kind: "heading", line, level, text: `${text}: ${hours}` };
}

function readProperty(drawer: Drawer, heading: Heading | null, content: string): void {
  const [, name = content, value = ""] = /^:([^\s:]+):[ \t]*(.*)$/s.exec(content) ?? [];
  const isHours = /^effort$/i.test(name) && /^properties$/i.test(drawer.name) && heading !== null && value !== "";
  if (isHours && heading.hours === null) heading.hours = value;
  else if (content !== "" && drawer.others.length <= LISTED) drawer.others.push(name);
}

function skippedDrawer({ name, line, others }: Drawer): OutlineLine {
  const listed = others.slice(0, LISTED).map((other) => (other.length > 40 ? `${other.slice(0, 39)}…` : other));
  const what = /^properties$/i.test(name) ? listed.join(", ") : `what is in the drawer ${name.slice(0, 40)}`;
  return { kind: "skipped", line, message: `${what}${others.length > LISTED ? " and more" : ""}: left out` };
}

const STATES = /^(?:TODO|DONE|NEXT|STARTED|DOING|WAIT|WAITING|HOLD|SOMEDAY|CANCELED|CANCELLED)(?=[ \t]|$)/;

function readOrg(raw: string, content: string, line: number): OutlineLine[] {
  const [, title] = /^#\+title:[ \t]*(.*)$/is.exec(content) ?? [];
  if (title !== undefined) return [{ kind: "title", line, text: title }];
  const tooLong = lengthFault(content);
  if (tooLong) return [{ kind: "refused", line, message: tooLong }];
  if (content.startsWith("#+")) return [{ kind: "skipped", line, message: "a setting of Org is left out" }];
  if (/^#(?:\s|$)/.test(content)) return [{ kind: "skipped", line, message: "a comment is left out" }];
  if (/^-{5,}$/.test(content)) return [{ kind: "skipped", line, message: "a line between parts is left out" }];
  if (/^(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):/.test(content))
    return [{ kind: "skipped", line, message: "a date of Org is left out" }];
  if (content.startsWith("|"))
    return [{ kind: "refused", line, message: "belongs to a table, which Org's outlines are read without" }];
  const [, stars, written = ""] = /^(\*+)(?:[ \t]+(.*))?$/s.exec(raw) ?? [];
  if (stars) return headlineOf(stars.length, written.trim(), line);
  return listItem(raw, line);
}

/** Level 1 in Org is a question: the title has a setting of its own. */
function headlineOf(stars: number, written: string, line: number): OutlineLine[] {
  const left: string[] = [];
  let text = written;
  const cut = (pattern: RegExp) => {
    const [found = ""] = pattern.exec(text) ?? [];
    text = text.slice(found.length).trimStart();
    if (found !== "" && found !== "TODO") left.push(found);
  };
  cut(STATES);
  cut(/^\[#[A-Z0-9]{1,2}\](?=[ \t]|$)/);
  const tags = text.lastIndexOf(" :") >= 0 ? text.slice(text.lastIndexOf(" :") + 1) : "";
  if (/^:(?:[\p{L}\p{N}_@#%]+:)+$/u.test(tags)) {
    left.push(tags);
    text = text.slice(0, -tags.length).trimEnd();
  }
  const cookie = /\[(?:\d*\/\d*|\d*%)\]$/.exec(text)?.[0];
  if (cookie) text = text.slice(0, -cookie.length).trimEnd();
  const heading: OutlineLine = { kind: "heading", line, level: stars + 1, text };
  if (left.length === 0) return [heading];
  return [{ kind: "skipped", line, message: `${left.join(" ")}: left out` }, heading];
}

function listItem(raw: string, line: number): OutlineLine[] {
  const item = readItemLine(raw, line);
  if (item.sign === "plain") return [item];
  const text = item.text.replace(/^\[-\](?=[ \t])/, "[ ]");
  const at = text.indexOf(" :: ");
  if (at < 0) return [{ ...item, text }];
  const description = text.slice(at + 4).trim();
  return [{ ...item, text: text.slice(0, at).trim() }, ...(description === "" ? [] : [quote(description, line)])];
}

const quote = (text: string, line: number): OutlineLine => ({ kind: "quote", line, text });
