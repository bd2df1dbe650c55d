import { Parser } from "saxen";
import { boundedText } from "./unzip.ts";

type Attributes = Readonly<Record<string, string>>;

/** What is done while XML is read. Names are without their prefixes. */
export interface Reader {
  open?(name: string, attributes: () => Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

/**
 * Reads XML from its beginning to its end. Entities that a document defines are not known, so that none can grow.
 * @throws Error if it is not well-formed, Unreadable for a text that is longer than any in a workbook.
 */
export function readXml(xml: string, { open, close, text }: Reader): void {
  const parser = new Parser();
  if (open)
    parser.on("openTag", (name, attributes, decode) =>
      open(local(name), () =>
        Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [local(key), decode(value)])),
      ),
    );
  if (close) parser.on("closeTag", (name) => close(local(name)));
  if (text) {
    parser.on("text", (value, decode) => text(decode(boundedText(value))));
    parser.on("cdata", (value) => text(boundedText(value)));
  }
  parser.parse(xml);
}
