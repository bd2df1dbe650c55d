import { typingErrors } from "../../platform/typing-errors.ts";

/** Names that other services use for the same thing, without case and separators. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  limit: ["pagesize", "perpage", "size", "count", "max", "maxresults", "take", "top", "first"],
  cursor: ["page", "pagetoken", "nextcursor", "next", "after", "offset", "skip", "startingafter", "continuation"],
  q: ["query", "search", "term", "filter", "text", "keyword"],
  sort: ["order", "orderby", "sortby", "ordering"],
  tag: ["tags", "label", "labels"],
  tags: ["tag", "label", "labels"],
  title: ["name", "summary", "subject", "heading"],
  name: ["title", "fullname", "displayname", "username"],
  description: ["body", "details", "text", "notes", "summary"],
  clientName: ["client", "customer", "customername", "company"],
  hourlyRate: ["rate", "price", "priceperhour", "hourprice"],
  currency: ["currencycode"],
  hours: ["estimate", "effort", "time", "duration"],
  likely: ["mostlikely", "expected", "realistic", "probable"],
  optimistic: ["best", "min", "low", "bestcase"],
  pessimistic: ["worst", "max", "high", "worstcase"],
  actualHours: ["actual", "spent", "timespent", "hoursspent"],
  email: ["mail", "emailaddress", "login", "user", "username"],
  password: ["pass", "pwd", "secret"],
  currentPassword: ["oldpassword", "password"],
  url: ["address", "endpoint", "callback", "callbackurl", "target", "targeturl", "uri"],
  events: ["event", "topics", "types", "eventtypes"],
  active: ["enabled", "isactive"],
  scopes: ["scope", "permissions"],
  expiresAt: ["expires", "expiry", "validuntil", "expiration"],
};

/** Names longer than this are not compared. */
const COMPARED_LENGTH = 40;

/**
 * In names this short one letter makes another name: RMB is not RUB. They are suggested only where two neighbours are
 * swapped, or where one is the beginning of the other.
 */
const SHORT_LENGTH = 3;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Returns the name in `known` that `given` was probably meant to be: the same in other case or with separators, a name
 * that other services use, the end of a name with a dot, or one that differs by one or two typing errors. Undefined if none is similar, or if several
 * short ones are.
 */
export function suggest(given: string, known: readonly string[]): string | undefined {
  if (given.length > COMPARED_LENGTH) return undefined;
  const form = plain(given);
  const same = known.find((name) => plain(name) === form);
  if (same !== undefined || form === "") return same;
  const synonym = known.find((name) => SYNONYMS[name]?.includes(form));
  if (synonym !== undefined) return synonym;
  const endings = known.filter((name) => name.includes(".") && plain(name.split(".").at(-1) ?? "") === form);
  if (endings.length === 1) return endings[0];
  const [nearest, second] = known
    .map((name) => ({ name, errors: typingErrors(form, plain(name)) }))
    .filter(({ name, errors }) => isNear(form, plain(name), errors))
    .sort((a, b) => a.errors - b.errors);
  const isDoubtful = nearest && second && isShort(nearest.name) && isShort(second.name);
  return isDoubtful && nearest.errors === second.errors ? undefined : nearest?.name;
}

const isShort = (name: string): boolean => name.length <= SHORT_LENGTH;

function isNear(form: string, name: string, errors: number): boolean {
  const longer = Math.max(form.length, name.length);
  if (!isShort(name)) return errors <= Math.min(2, Math.floor(longer / 3));
  if (form.length === name.length) return errors === 1 && haveSameLetters(form, name);
  const shorter = Math.min(form.length, name.length);
  return shorter > 1 && longer - shorter <= 2 && (form.startsWith(name) || name.startsWith(form));
}

const haveSameLetters = (a: string, b: string): boolean => [...a].sort().join("") === [...b].sort().join("");
