import type { SharePermission } from "../../../../contract/shares.ts";

/** People and estimations are numbers. A share is named by its id, as it was known before the request was sent. */
export type Request =
  | {
      readonly kind: "share";
      readonly by: number;
      readonly on: number;
      readonly with: number;
      readonly permission: SharePermission;
    }
  | { readonly kind: "accept"; readonly by: number; readonly on: number; readonly share: string }
  | { readonly kind: "remove"; readonly by: number; readonly on: number; readonly share: string }
  | { readonly kind: "transfer"; readonly by: number; readonly on: number; readonly to: number }
  | { readonly kind: "sign in"; readonly by: number };

interface ModelShare {
  /** Null: made since ids were last read. */
  readonly id: string | null;
  readonly permission: SharePermission;
  readonly isAccepted: boolean;
}

/** What the rule says of one estimation. */
export interface ModelEstimation {
  readonly owner: number;
  /** By the person whose address was invited. */
  readonly shares: ReadonlyMap<number, ModelShare>;
  /** How many events there were. */
  readonly invited: number;
  readonly accepted: number;
}

export type Model = readonly ModelEstimation[];

/** The level of access that the rule gives each person; people without any are left out. */
export function levelsOf({ owner, shares }: ModelEstimation): Map<number, string> {
  const accepted = [...shares].filter(([, { isAccepted }]) => isAccepted);
  const levels = accepted.map(([person, { permission }]): [number, string] => [
    person,
    permission === "edit" ? "editor" : "viewer",
  ]);
  return new Map([...levels, [owner, "owner"]]);
}

/** What the rule answers to a request, and the state after it. */
export function apply(model: Model, request: Request): { status: number; model: Model } {
  if (request.kind === "sign in") {
    const accepted = model.map((one) => acceptFor(one, request.by));
    return { status: 200, model: accepted };
  }
  const one = model[request.on];
  if (!one) throw new Error(`there is no estimation ${request.on}`);
  const outcome = judge(one, request);
  return typeof outcome === "number"
    ? { status: outcome, model }
    : { status: outcome.status, model: model.with(request.on, { ...one, ...outcome.changes }) };
}

type Outcome = number | { readonly status: number; readonly changes: Partial<ModelEstimation> };

function judge(one: ModelEstimation, request: Exclude<Request, { kind: "sign in" }>): Outcome {
  const { by } = request;
  if (request.kind === "accept") {
    if (one.shares.get(by)?.id !== request.share) return 404;
    return { status: 200, changes: acceptFor(one, by) };
  }
  const invited = request.kind === "remove" ? personOf(one, request.share) : undefined;
  if (request.kind === "remove" && invited === undefined) return 404;
  const level = levelsOf(one).get(by);
  // Everybody may leave or decline.
  if (level !== "owner" && (invited === undefined || invited !== by)) return level === undefined ? 404 : 403;
  const shares = new Map(one.shares);
  if (request.kind === "remove") {
    shares.delete(invited ?? -1);
    return { status: 200, changes: { shares } };
  }
  if (request.kind === "share") {
    if (request.with === by) return 400;
    const standing = shares.get(request.with);
    shares.set(request.with, { id: null, isAccepted: false, ...standing, permission: request.permission });
    return standing
      ? { status: 200, changes: { shares } }
      : { status: 201, changes: { shares, invited: one.invited + 1 } };
  }
  const theirs = shares.get(request.to);
  if (!theirs?.isAccepted || theirs.permission !== "edit") return 400;
  shares.delete(request.to);
  shares.set(by, { id: null, permission: "edit", isAccepted: true });
  return { status: 200, changes: { owner: request.to, shares } };
}

const personOf = ({ shares }: ModelEstimation, id: string) => [...shares].find(([, share]) => share.id === id)?.[0];

function acceptFor(one: ModelEstimation, person: number): ModelEstimation {
  const share = one.shares.get(person);
  if (!share || share.isAccepted) return one;
  return {
    ...one,
    shares: new Map(one.shares).set(person, { ...share, isAccepted: true }),
    accepted: one.accepted + 1,
  };
}
