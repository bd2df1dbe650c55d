import { fail, failWith } from "../../http/failure.ts";
import { type AddressRule, literalAddress } from "../../platform/outbound/index.ts";

/** Whether there are spaces or control characters, which the URL parser would drop or encode without a word. */
const hasBlanks = (text: string): boolean => [...text].some((character) => character <= " " || character === "\u007f");

/**
 * Refuses (400) an address that no webhook may have, judged as it is written and without a look-up: what is no URL, not
 * HTTPS, carries credentials or a fragment, or spells an IP address that requests may not go to.
 */
export function checkAddress(text: string, mayGoTo: AddressRule): void {
  const url = (hasBlanks(text) ? null : URL.parse(text)) ?? refuse("must be a URL");
  if (url.protocol !== "https:") fail("webhook_url_must_be_https");
  if (url.username !== "" || url.password !== "") refuse("must not carry credentials");
  if (text.includes("#")) refuse("must not have a fragment");
  const literal = literalAddress(url.hostname);
  if (literal !== null && !mayGoTo(literal)) refuse("must not be at an address that is not publicly routable");
}

const refuse = (message: string): never => failWith([{ path: "/url", message }]);
