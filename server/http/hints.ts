import type { FastifyRequest } from "fastify";
import type { ErrorKey } from "../../contract/errors.ts";
import type { Paths } from "./paths.ts";

/**
 * What usually helps with an unknown path: the same path without a slash at its end, or below `/api`; otherwise
 * `/docs`.
 */
export function hintForPath(url: string, paths: Paths): string | undefined {
  const path = url.split("?", 1)[0] ?? "";
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed === "/api") return "There is nothing at this path itself: /docs lists all paths.";
  const isKnown = (candidate: string) => paths.methodsOf(candidate).length > 0;
  if (trimmed !== path && isKnown(trimmed)) return "Leave out the slash at the end of the path.";
  if (isKnown(`/api${trimmed}`)) return "Paths begin with /api: put it before this one.";
  return undefined;
}

/** Which method helps where the path has others. */
export function hintForMethod(method: string, allowed: readonly string[]): string {
  const partial = method === "PUT" && allowed.includes("PATCH");
  return partial
    ? "Use PATCH: it changes the fields that are given and leaves the others."
    : `Use ${allowed.filter((name) => name !== "HEAD").join(" or ")}.`;
}

/** What usually helps with an error, if the request shows its cause. */
export function hintFor(key: ErrorKey, { headers }: FastifyRequest): string | undefined {
  if (key !== "unsupported_media_type") return undefined;
  if (!/^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    return "Send the header `Content-Type: application/json`.";
  }
  return headers["content-encoding"] === undefined
    ? "Send the body in UTF-8."
    : "Send the body uncompressed, without the header `Content-Encoding`.";
}
