import { createHash } from "node:crypto";
import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { Fields } from "../../../domain/exports/fields.ts";
import type { ConnectionRow } from "../connections/index.ts";
import type { Tracker } from "./trackers/tracker.ts";

/** Returns a key for the installation that a connection leads to, the same for every spelling of its address. */
export const addressOf = (
  tracker: Pick<Tracker, "target" | "address">,
  { baseUrl }: Pick<ConnectionRow, "baseUrl">,
): string => `${tracker.target} ${tracker.address({ baseUrl })}`;

/**
 * Returns a key for a destination, so that every connection to it has the same ledger. It is made from the tracker's
 * own id (`Checked`), which does not change when people rename a repository or a project.
 */
export const destinationOf = (target: ExportTarget, named: string): string => `${target} ${named}`;

/**
 * Returns a fingerprint for each field, to compare them later without keeping the texts. Values that a tracker writes in
 * another way have the same one: line ends, and white space at the ends.
 */
export const fingerprints = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fingerprint(value ?? "")]));

const fingerprint = (value: string): string =>
  createHash("sha256").update(value.replace(/\r\n?/g, "\n").trim()).digest("base64url").slice(0, 22);
