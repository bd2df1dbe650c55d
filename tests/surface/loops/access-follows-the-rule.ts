import { expect } from "vitest";
import { type Endpoint, needsAll, needsSession, paramsOf, scopesOf } from "../../../contract/endpoint.ts";
import { type ErrorKey, errorRow } from "../../../contract/errors.ts";
import { contract, type EndpointId, endpointEntries } from "../../../contract/index.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import type { TeamRole } from "../../../contract/values/team-roles.ts";
import { may, mayResolveMessage } from "../../../domain/access.ts";
import { mayComment } from "../../../domain/reviews.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample, type EndpointEntry } from "../call.ts";
import type { Loop } from "./loop.ts";
import { allBut, type Person } from "./people.ts";
import type { Stage } from "./stage.ts";

/** One call: by whom, with which credential, and what the rule requires. */
interface Case {
  readonly name: string;
  readonly token: string | undefined;
  /** Null: the call succeeds. */
  readonly refusal: ErrorKey | null;
}

/** Returns the calls of an endpoint, by every person with each kind of credential, and their required results. */
function casesOf({ people, world }: Stage, [id, endpoint]: EndpointEntry): Case[] {
  const wanted = scopesOf(endpoint.access);
  // An endpoint without a record belongs to nobody; its sample fits the owner.
  const callers = paramsOf(endpoint.path).length > 0 ? people : people.filter(({ level }) => level === "owner");
  const nobody: Case = { name: "nobody", token: undefined, refusal: "authorization_missing" };
  const administrator: Case = { name: "an administrator", token: world.administrator.token, refusal: null };
  const others = endpoint.access === "administrator" ? [nobody, administrator] : [nobody];
  return [...others, ...callers.flatMap(byEachCredential)];

  function byEachCredential(person: Person): Case[] {
    const { name, level, role } = person;
    const sessionOnly = needsSession(endpoint.access);
    const past =
      endpoint.access === "administrator"
        ? "not_found"
        : OF_THE_TEAM.has(id)
          ? refusalOfTeam(id, role, level)
          : refusalOf(id, level);
    const byKey = sessionOnly ? "session_token_required" : past;
    const credentials: readonly [string, string, ErrorKey | null][] = [
      ["a session", person.session, past],
      ["a key of exactly the scope", person.keyWith(wanted), byKey],
      ["a key of `admin`", person.keyWith(["admin"]), byKey],
    ];
    const without: [string, string, ErrorKey][] =
      wanted.length > 0 || sessionOnly
        ? [
            [
              "a key of all but the scope",
              person.keyWith(allBut(wanted)),
              sessionOnly ? "session_token_required" : "api_key_insufficient_scope",
            ],
          ]
        : [];
    return [...credentials, ...without].map(([what, token, refusal]) => ({
      name: `the ${name} with ${what}`,
      token,
      refusal,
    }));
  }
}

/** The endpoints whose sample names the world's team. */
const OF_THE_TEAM = new Set<EndpointId>(
  endpointEntries.filter(([, { path }]) => path.startsWith("/api/teams/:teamId")).map(([id]) => id),
);
/** Those for every member. */
const FOR_MEMBERS = new Set<EndpointId>(["getTeam", "listTeamMembers", "listTeamShares"]);
/** Those whose sample names a team that only the owner is invited to. */
const FOR_INVITED = new Set<EndpointId>(["acceptTeamInvitation", "declineTeamInvitation"]);

/** Returns what the rule requires for a caller with this role in the world's team. */
function refusalOfTeam(id: EndpointId, role: TeamRole | null, level: AccessLevel | null): ErrorKey | null {
  if (FOR_INVITED.has(id)) return level === "owner" ? null : "not_found";
  if (role === null) return "not_found";
  return role === "admin" || FOR_MEMBERS.has(id) ? null : "forbidden";
}

/** Returns what the rule requires for a caller of this level with a valid credential. */
function refusalOf(id: EndpointId, level: AccessLevel | null): ErrorKey | null {
  // Its handler asks for the right, because the person whom the share is about may delete it too.
  const right = id === "deleteShare" ? "own" : (contract[id] as Endpoint).right;
  if (right === undefined) return level === "owner" ? null : "not_found";
  // The review decides too: the owner of everything else is its reviewer and the author of the comment, and no viewer is
  // also a reviewer. So does the round: of these people only the owner is asked in it.
  if (level !== null && (right === "decide" || right === "estimate" || id === "deleteComment"))
    return level === "owner" ? null : "forbidden";
  if (level !== null && (id === "createComment" || id === "updateComment"))
    return mayComment(level, level === "reviewer") ? null : "forbidden";
  // The message of the sample is the owner's.
  if (level !== null && id === "updateThreadMessage") return mayResolveMessage(level, false) ? null : "forbidden";
  // The connection of the sample is the owner's: nobody else may use it, or resume a run that uses it.
  if (level === "editor" && (id === "exportTasks" || id === "pullExport" || id === "closeObsolete")) return "not_found";
  if (level === "editor" && id === "resumeExport") return "forbidden";
  // The receipt of the sample is the owner's.
  if (level === "editor" && id === "giveSuggestionFeedback") return "validation_failed";
  return { allowed: null, forbidden: "forbidden", unseen: "not_found" }[may(level, right)] as ErrorKey | null;
}

export const accessFollowsTheRule: Loop = {
  title:
    "%s allows exactly the callers that the rule allows, with every credential, and a refusal changes nothing (V8.2.2)",
  endpoints: endpointEntries.filter(([, { access }]) => access !== "anyone"),
  async check(stage, [id, endpoint]: EndpointEntry) {
    const { app, world, undoing } = stage;
    const cases = casesOf(stage, [id, endpoint]);
    await changesNothing(app, async () => {
      for (const { name, token, refusal } of cases) {
        if (refusal === null) continue;
        const response = await callSample(app, id, world, { token });
        const { status, message } = errorRow(refusal);
        expect([response.status, response.body.message], name).toEqual([status, message]);
        expect(response.data, name).toEqual({});
        if (status === 401) expect(response.headers.get("www-authenticate"), name).toBe("Bearer");
        if (refusal === "api_key_insufficient_scope") {
          const wanted = scopesOf(endpoint.access);
          const isFirst = wanted.length === 1 || needsAll(endpoint.access);
          expect(response.body.details?.requiredScope).toEqual(isFirst ? wanted[0] : wanted);
        }
      }
    });
    for (const { name, token, refusal } of cases) {
      if (refusal !== null) continue;
      const response = await undoing(() => callSample(app, id, world, { token }));
      expect([response.status, response.body.message], name).toEqual([endpoint.response.status, undefined]);
    }
  },
};
