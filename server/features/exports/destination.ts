import { createHash } from "node:crypto";
import type { ExportTarget } from "../../../contract/connections.ts";
import type { Fields } from "../../../domain/exports/fields.ts";
import type { Config } from "../../config.ts";
import type { ConnectionRow } from "../connections/index.ts";
import { apiUrl } from "./trackers/github/address.ts";

/**
 * Names the destination that a connection leads to, so that every way to it has the same ledger: tracker, address of its
 * API, however people have written it, and the repository, whose case GitHub ignores.
 */
export const destinationOf = (
  { githubApiUrl }: Pick<Config, "githubApiUrl">,
  { baseUrl }: Pick<ConnectionRow, "baseUrl">,
  { target, project }: { readonly target: ExportTarget; readonly project: string },
): string => `${target} ${apiUrl({ baseUrl }, githubApiUrl)} ${project.toLowerCase()}`;

/**
 * Returns a fingerprint for each field, to compare them later without keeping the texts. Values that a tracker writes in
 * another way have the same one: line ends, and white space at the ends.
 */
export const fingerprints = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fingerprint(value ?? "")]));

const fingerprint = (value: string): string =>
  createHash("sha256").update(value.replace(/\r\n?/g, "\n").trim()).digest("base64url").slice(0, 22);
