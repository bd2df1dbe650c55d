import { limits } from "../../../../contract/limits.ts";
import type { SharePermission } from "../../../../contract/values/share-permissions.ts";

/** People and estimations are numbers. A share is named by its id, as it was known before the request was sent. */
export type Request =
  | {
      readonly kind: "share";
      readonly by: number;
      readonly on: number;
      readonly with: number;
      readonly permission: SharePermission;
    }
  | { readonly kind: "accept" | "remove" | "resend"; readonly by: number; readonly on: number; readonly share: string }
  | { readonly kind: "delete" | "restore"; readonly by: number; readonly on: number }
  /** 31 days pass for the invitations to the estimation that nobody has accepted. */
  | { readonly kind: "expire"; readonly by: number; readonly on: number }
  | { readonly kind: "prove"; readonly by: number }
  | { readonly kind: "transfer"; readonly by: number; readonly on: number; readonly to: number }
  | { readonly kind: "sign in"; readonly by: number };

interface ModelShare {
  /** Null: made since ids were last read. */
  readonly id: string | null;
  readonly permission: SharePermission;
  readonly isAccepted: boolean;
  readonly isExpired: boolean;
  /** Invitations mailed within the last day. */
  readonly mails: number;
}

/** The model's state of one estimation. */
export interface ModelEstimation {
  readonly owner: number;
  /** By the person whose address was invited. */
  readonly shares: ReadonlyMap<number, ModelShare>;
  readonly isDeleted: boolean;
  /** The events, each with the people whose webhooks receive it. */
  readonly told: readonly string[];
}

export interface Model {
  readonly estimations: readonly ModelEstimation[];
  /** People with an unverified address. */
  readonly unproved: ReadonlySet<number>;
}

/** Returns an event and its receivers as they are compared. */
export const toldTo = (name: string, receivers: Iterable<number>): string =>
  `${name} to ${[...new Set(receivers)].sort((a, b) => a - b).join(" and ")}`;

/** The level of access that the rule gives each person; people without any are left out. */
export function levelsOf({ owner, shares }: ModelEstimation): Map<number, string> {
  const accepted = [...shares].filter(([, { isAccepted }]) => isAccepted);
  const levels = accepted.map(([person, { permission }]): [number, string] => [
    person,
    permission === "edit" ? "editor" : "viewer",
  ]);
  return new Map([...levels, [owner, "owner"]]);
}

/** The model's response to a request, and the state after it. */
export function apply(model: Model, request: Request): { status: number; model: Model } {
  const { estimations, unproved } = model;
  const { by } = request;
  if (request.kind === "prove") {
    // A link confirms nothing more once the address is confirmed.
    if (!unproved.has(by)) return { status: 400, model };
    const proved = { estimations, unproved: new Set([...unproved].filter((one) => one !== by)) };
    return { status: 200, model: signedIn(proved, by) };
  }
  if (request.kind === "sign in") return { status: 200, model: signedIn(model, by) };
  const one = estimations[request.on];
  if (!one) throw new Error(`there is no estimation ${request.on}`);
  const outcome = judge(one, request, !unproved.has(by));
  return typeof outcome === "number"
    ? { status: outcome, model }
    : {
        status: outcome.status,
        model: { unproved, estimations: estimations.with(request.on, { ...one, ...outcome.changes }) },
      };
}

const signedIn = ({ estimations, unproved }: Model, by: number): Model => ({
  unproved,
  estimations: unproved.has(by) ? estimations : estimations.map((one) => acceptFor(one, by)),
});

type Outcome = number | { readonly status: number; readonly changes: Partial<ModelEstimation> };
type OnEstimation = Extract<Request, { on: number }>;

function judge(one: ModelEstimation, request: OnEstimation, isProved: boolean): Outcome {
  const { by, kind } = request;
  if (kind === "expire") return { status: 200, changes: { shares: expired(one) } };
  if (one.isDeleted) {
    if (kind !== "restore" || by !== one.owner) return 404;
    return { status: 200, changes: { isDeleted: false } };
  }
  if (kind === "accept") {
    const share = one.shares.get(by);
    if (share?.id !== request.share) return 404;
    if (!isProved) return 403;
    return share.isExpired ? 409 : { status: 200, changes: acceptFor(one, by) };
  }
  const invited = kind === "remove" || kind === "resend" ? personOf(one, request.share) : undefined;
  if (kind === "remove" && invited === undefined) return 404;
  const level = levelsOf(one).get(by);
  // Everybody with a proved address may leave or decline.
  const isOwn = kind === "remove" && invited === by && isProved;
  if (level !== "owner" && !isOwn) return level === undefined ? 404 : 403;
  const shares = new Map(one.shares);
  if (kind === "delete") return { status: 200, changes: { isDeleted: true } };
  if (kind === "restore") return 200;
  if (kind === "remove") {
    shares.delete(invited ?? -1);
    return { status: 200, changes: { shares } };
  }
  if (kind === "resend") return resent(one, invited);
  if (kind === "share") {
    if (request.with === by) return 400;
    const existing = shares.get(request.with);
    const made = { id: null, isAccepted: false, isExpired: false, mails: 1 };
    shares.set(request.with, { ...made, ...existing, permission: request.permission });
    return existing
      ? { status: 200, changes: { shares } }
      : { status: 201, changes: { shares, told: [...one.told, toldTo("share.invited", [one.owner])] } };
  }
  if (kind !== "transfer") throw new Error(`there is no rule for ${kind}`);
  const theirs = shares.get(request.to);
  if (!theirs?.isAccepted || theirs.permission !== "edit") return 400;
  shares.delete(request.to);
  shares.set(by, { id: null, permission: "edit", isAccepted: true, isExpired: false, mails: 0 });
  return { status: 200, changes: { owner: request.to, shares } };
}

const personOf = ({ shares }: ModelEstimation, id: string) => [...shares].find(([, share]) => share.id === id)?.[0];

function resent({ shares }: ModelEstimation, person: number | undefined): Outcome {
  const share = person === undefined ? undefined : shares.get(person);
  if (person === undefined || !share) return 404;
  if (share.isAccepted) return 409;
  if (share.mails === limits.invitationMailsPerDay) return 429;
  const renewed = { ...share, isExpired: false, mails: share.mails + 1 };
  return { status: 202, changes: { shares: new Map(shares).set(person, renewed) } };
}

const expired = ({ shares }: ModelEstimation): ReadonlyMap<number, ModelShare> =>
  new Map([...shares].map(([who, one]) => [who, one.isAccepted ? one : { ...one, isExpired: true, mails: 0 }]));

function acceptFor(one: ModelEstimation, person: number): ModelEstimation {
  const share = one.shares.get(person);
  if (!share || share.isAccepted || share.isExpired || one.isDeleted) return one;
  return {
    ...one,
    shares: new Map(one.shares).set(person, { ...share, isAccepted: true }),
    told: [...one.told, toldTo("share.accepted", [one.owner, person])],
  };
}
