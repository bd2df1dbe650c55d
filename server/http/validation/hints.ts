import type { FastifyRequest } from "fastify";
import type { ErrorKey } from "../../../contract/errors.ts";
import { type IdKind, idPrefixes, idWords } from "../../../contract/shapes.ts";
import { typingErrors } from "../../platform/typing-errors.ts";
import type { Paths } from "../paths.ts";
import { API_KEY_PREFIX } from "../steps/identify-caller.ts";

/** What usually helps with a path that does not exist, or not with this method: the one that was probably meant. */
export function hintForPath(method: string, url: string, paths: Paths): string | undefined {
  const path = url.split("?", 1)[0] ?? "";
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed === "/api") return "There is nothing at this path itself: /docs lists all paths.";
  const isKnown = (candidate: string) => paths.methodsOf(candidate).includes(method);
  if (trimmed !== path && isKnown(trimmed)) return "Leave out the slash at the end of the path.";
  if (isKnown(`/api${trimmed}`)) return "Paths begin with /api: put it before this one.";
  // Only a path that is unknown is compared with others.
  if (paths.methodsOf(path).length > 0) return undefined;
  const meant = nearestPath(trimmed, paths.patterns());
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

/** Typing errors in all parts of a path together. */
const ERRORS_MOST = 2;
/** Paths that are longer are not compared. */
const COMPARED = { length: 500, parts: 12 };

/**
 * Returns the path of the API that a path was probably meant to be, with its ids: written in other case, with a doubled slash, a
 * version, in the singular, without `/api`, or with a few typing errors. Undefined: none is similar, or several are.
 */
function nearestPath(path: string, patterns: readonly string[]): string | undefined {
  if (path.length > COMPARED.length) return undefined;
  const given = path
    .split("/")
    .filter((part) => part !== "")
    .filter((part, at) => !(at === 0 && /^api$/i.test(part)) && !(at < 2 && /^v\d+$/i.test(part)));
  if (given.length === 0 || given.length > COMPARED.parts) return undefined;
  const near = patterns
    .filter((pattern) => pattern.startsWith("/api/"))
    .flatMap((pattern) => {
      const parts = pattern.slice("/api/".length).split("/");
      if (parts.length !== given.length) return [];
      const errors = parts.map((part, at) => errorsIn(part, given[at] as string)).reduce((sum, one) => sum + one, 0);
      return errors > ERRORS_MOST
        ? []
        : [{ errors, path: `/api/${parts.map((part, at) => (part.startsWith(":") ? given[at] : part)).join("/")}` }];
    })
    .sort((a, b) => a.errors - b.errors);
  const [first, second] = near;
  return second && second.errors === first?.errors && second.path !== first.path ? undefined : first?.path;
}

const NAME = /^[a-z-]+$/;

/** A parameter takes an id, which no name of a path looks like. */
function errorsIn(part: string, given: string): number {
  if (part.startsWith(":")) return given.includes("_") ? 0 : Number.POSITIVE_INFINITY;
  const name = given.toLowerCase().replaceAll("_", "-");
  if (name === part) return 0;
  return NAME.test(name) && name.length > 2 ? typingErrors(name, part) : Number.POSITIVE_INFINITY;
}

/** For a program that asks for a page of the web application: its path is often one of the API without `/api`. */
export const PAGE_HINT =
  "This is a page for browsers. Paths of the API begin with /api, such as /api/estimations; /docs lists them.";

/** Which method helps where the path has others. */
export function hintForMethod(
  { method, url }: Pick<FastifyRequest, "method" | "url">,
  allowed: readonly string[],
): string {
  if (!url.startsWith("/api/")) return PAGE_HINT;
  const partial = method === "PUT" && allowed.includes("PATCH");
  return partial
    ? "Use PATCH: it changes the fields that are given and leaves the others."
    : `Use ${allowed.filter((name) => name !== "HEAD").join(" or ")}.`;
}

/** What usually helps with an error, if the request shows its cause. */
export function hintFor(key: ErrorKey, request: FastifyRequest): string | undefined {
  if (key === "authorization_missing") return hintForKeyInAddress(request.url);
  if (key === "not_found") return hintForIds(request);
  if (key === "unsupported_media_type") return hintForType(request.headers);
  return undefined;
}

const hintForKeyInAddress = (url: string): string | undefined =>
  url.includes(API_KEY_PREFIX)
    ? "A key in an address is not read, and may be in logs now: rotate it, and send it as `Authorization: Bearer …`."
    : undefined;

const kindsByPrefix = new Map(Object.entries(idPrefixes).map(([kind, prefix]) => [prefix as string, kind as IdKind]));

/**
 * Which id of a path is of another kind than the path needs. If there are two and the first was found, which one is missing. It
 * does not repeat them.
 */
export function hintForIds(
  { params: given, routeOptions: { url = "" } }: Pick<FastifyRequest, "params" | "routeOptions">,
  isFirstMissing = false,
): string | undefined {
  const params = given as Readonly<Record<string, string>>;
  for (const [name, id] of Object.entries(params)) {
    const given = kindsByPrefix.get(/^([a-z]+)_/.exec(id)?.[1] ?? "");
    const wanted = name === "id" ? kindOfCollection(url) : name.replace(/Id$/, "");
    if (given && wanted in idPrefixes && given !== wanted)
      return `\`${name}\` has to be the id of ${withArticle(wanted as IdKind)}; this is one of ${withArticle(given)}.`;
  }
  const [first, ...others] = Object.keys(params);
  if (others.length === 0) return undefined;
  return isFirstMissing
    ? `Nothing that you may see has the id given as \`${first}\`.`
    : `\`${first}\` was found, but nothing in it by \`${others.at(-1)}\`.`;
}

/** `/api/api-keys/:id` takes the id of an `apiKey`. */
const kindOfCollection = (url: string): string =>
  (/^\/api\/([a-z-]+)s\/:id/.exec(url)?.[1] ?? "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const withArticle = (kind: IdKind): string =>
  `${/^[aeiou]/.test(idWords(kind)) || kind === "apiKey" ? "an" : "a"} ${idWords(kind)}`;

function hintForType(headers: FastifyRequest["headers"]): string {
  if (!/^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    return "Send the header `Content-Type: application/json`.";
  }
  return headers["content-encoding"] === undefined
    ? "Send the body in UTF-8."
    : "Send the body uncompressed, without the header `Content-Encoding`.";
}
