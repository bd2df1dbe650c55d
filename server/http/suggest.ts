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

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Returns the name in `known` that `given` was probably meant to be: the same in other case or with separators, a name
 * that other services use, or one that differs by one or two typing errors. Undefined if none is similar.
 */
export function suggest(given: string, known: readonly string[]): string | undefined {
  if (given.length > COMPARED_LENGTH) return undefined;
  const form = plain(given);
  const same = known.find((name) => plain(name) === form);
  if (same !== undefined || form === "") return same;
  const synonym = known.find((name) => SYNONYMS[name]?.includes(form));
  if (synonym !== undefined) return synonym;
  const near = known
    .map((name) => ({ name, errors: typingErrors(form, plain(name)) }))
    .filter(({ name, errors }) => errors <= Math.min(2, Math.floor(Math.max(form.length, name.length) / 3)))
    .sort((a, b) => a.errors - b.errors);
  return near[0]?.name;
}

/**
 * Returns how many letters must be added, left out, replaced or swapped to turn `a` into `b` (optimal string alignment
 * distance).
 */
function typingErrors(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (above[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = current;
  }
  return above[b.length] as number;
}
