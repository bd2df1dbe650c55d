import type { Received } from "./receiver.ts";

/** What a verified request is followed by. */
export const GENUINE = "Both signatures are right.";

/** The parts of a webhook request that concern its receiver, as lines. */
export function linesOf({ path, headerLines, body }: Received): readonly string[] {
  const headers = headerLines.filter(([name]) => /^(content-type|user-agent|x-service-|webhook-)/i.test(name));
  return [
    `POST ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    "",
    body.toString("utf8"),
    "",
  ];
}
