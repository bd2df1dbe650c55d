import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { FaultCode } from "../../../contract/values/faults.ts";
import { failWith } from "../../http/failure.ts";

/** What a request names as the destination of issues: of each tracker its own fields. */
interface Named {
  readonly repository?: string | undefined;
  readonly projectKey?: string | undefined;
  readonly issueType?: string | undefined;
}

export interface NamedDestination {
  readonly project: string;
  /** null: the tracker chooses, or it has no types. */
  readonly issueType: string | null;
}

const OWN: Readonly<Record<ExportTarget, keyof Named>> = { github: "repository", jira: "projectKey" };

/**
 * Returns the destination that a request names; null: none. Refuses (400) fields of another tracker, and a type of issues
 * without a project.
 */
export function destinationIn(target: ExportTarget, named: Named): NamedDestination | null {
  const allowed: readonly (keyof Named)[] = target === "jira" ? ["projectKey", "issueType"] : [OWN[target]];
  for (const name of ["repository", "projectKey", "issueType"] as const)
    if (named[name] !== undefined && !allowed.includes(name)) refuse(name, "not_allowed", `is not for ${target}`);
  const project = named[OWN[target]];
  if (project === undefined) return named.issueType === undefined ? null : demandDestination(target);
  return { project, issueType: named.issueType ?? null };
}

/** Refuses (400) a request that names no destination. */
export const demandDestination = (target: ExportTarget): never =>
  refuse(OWN[target], "required", `is required for ${target}`);

const refuse = (name: keyof Named, code: FaultCode, message: string): never =>
  failWith([{ path: `/${name}`, in: "body", code, message }]);
