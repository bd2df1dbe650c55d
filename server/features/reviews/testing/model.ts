import type { ReviewState } from "../../../../contract/endpoints/estimations.ts";
import type { ReviewStatus, ReviewVerdict } from "../../../../contract/endpoints/reviews.ts";

/** Two parts of the content that can each be changed, and changed back. */
export interface Content {
  readonly title: number;
  readonly selected: number;
}

/** People and versions are numbers. A review is named by its id, as it was known before the request was sent. */
export type Request =
  | { readonly kind: "edit"; readonly by: number; readonly to: Partial<Content> }
  | { readonly kind: "ask"; readonly by: number; readonly whom: number }
  | {
      readonly kind: "decide";
      readonly by: number;
      readonly review: string;
      readonly verdict: ReviewVerdict;
      /** The version that the reviewer names; null: none. */
      readonly version: number | null;
    }
  | { readonly kind: "withdraw"; readonly by: number; readonly review: string }
  | { readonly kind: "transfer"; readonly by: number; readonly to: number };

interface ModelReview {
  readonly person: number;
  readonly status: ReviewStatus;
  readonly version: number;
}

/** The model's state of an estimation. */
export interface Model {
  readonly owner: number;
  /** The level of others by a share. */
  readonly shared: ReadonlyMap<number, "editor" | "viewer">;
  readonly content: Content;
  readonly versions: readonly Content[];
  /** By id; those that were made since ids were last read have another key. */
  readonly reviews: ReadonlyMap<string, ModelReview>;
  /** How many events there were of each. */
  readonly told: Readonly<Record<"submitted" | ReviewVerdict, number>>;
}

const isSame = (a: Content | undefined, b: Content) => a?.title === b.title && a.selected === b.selected;

const standing = ({ reviews }: Model) => [...reviews].filter(([, { status }]) => status !== "withdrawn");

export const isStale = ({ versions, content }: Model, { status, version }: ModelReview): boolean =>
  status !== "withdrawn" && !isSame(versions[version - 1], content);

/** What the estimation shows of its reviews. */
export function summaryOf(model: Model): { reviewState: ReviewState; reviewStale: boolean } {
  const statuses = standing(model).map(([, { status }]) => status);
  const reviewState = (["changes_requested", "pending", "approved"] as const).find((one) => statuses.includes(one));
  return {
    reviewState: reviewState ?? "none",
    reviewStale: standing(model).some(([, review]) => isStale(model, review)),
  };
}

/** The level of access that the rule gives each person; people without any are left out. */
export function levelsOf(model: Model): Map<number, string> {
  const reviewers = standing(model).map(([, { person }]): [number, string] => [person, "reviewer"]);
  return new Map([...reviewers, ...model.shared, [model.owner, "owner"]]);
}

type Outcome = number | { readonly status: number; readonly changes: Partial<Model> };

/** The model's response to a request, and the state after it. */
export function apply(model: Model, request: Request): { status: number; model: Model } {
  const outcome = judge(model, request);
  if (typeof outcome === "number") return { status: outcome, model };
  return { status: outcome.status, model: { ...model, ...outcome.changes } };
}

function judge(model: Model, request: Request): Outcome {
  const { by } = request;
  const level = levelsOf(model).get(by);
  if (level === undefined) return 404;
  if (request.kind === "edit") {
    if (level !== "owner" && level !== "editor") return 403;
    return { status: 200, changes: { content: { ...model.content, ...request.to } } };
  }
  if (request.kind === "decide") return decide(model, request);
  if (request.kind === "withdraw") {
    const review = model.reviews.get(request.review);
    if (!review) return 404;
    if (level !== "owner" && review.person !== by) return 403;
    return { status: 200, changes: withReview(model, request.review, { status: "withdrawn" }) };
  }
  if (level !== "owner") return 403;
  if (request.kind === "ask") return ask(model, request.whom);
  return transfer(model, by, request.to);
}

const withReview = ({ reviews }: Model, id: string, changes: Partial<ModelReview>) => ({
  reviews: new Map(reviews).set(id, { person: -1, status: "pending", version: 0, ...reviews.get(id), ...changes }),
});

const withEvent = ({ told }: Model, name: keyof Model["told"]) => ({ told: { ...told, [name]: told[name] + 1 } });

function ask(model: Model, whom: number): Outcome {
  if (whom === model.owner) return 400;
  const [id = `new ${model.reviews.size}`, former] = standing(model).find(([, { person }]) => person === whom) ?? [];
  if (former?.status === "pending" && !isStale(model, former)) return { status: 200, changes: {} };
  const { versions, content } = model;
  const kept = isSame(versions.at(-1), content) ? versions : [...versions, content];
  const asked = withReview(model, id, { person: whom, status: "pending", version: kept.length });
  return { status: former ? 200 : 201, changes: { ...asked, ...withEvent(model, "submitted"), versions: kept } };
}

function decide(model: Model, { by, review: id, verdict, version }: Request & { kind: "decide" }): Outcome {
  const review = model.reviews.get(id);
  if (!review) return 404;
  if (review.person !== by) return 403;
  if (review.status === "withdrawn" || (version !== null && version !== review.version)) return 409;
  if (review.status === verdict) return { status: 200, changes: {} };
  return { status: 200, changes: { ...withReview(model, id, { status: verdict }), ...withEvent(model, verdict) } };
}

function transfer(model: Model, by: number, to: number): Outcome {
  if (model.shared.get(to) !== "editor") return 400;
  const shared = new Map(model.shared).set(by, "editor" as const);
  shared.delete(to);
  const theirs = standing(model).find(([, { person }]) => person === to);
  const ended = theirs ? withReview(model, theirs[0], { status: "withdrawn" }) : {};
  return { status: 200, changes: { owner: to, shared, ...ended } };
}
