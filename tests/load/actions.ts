import { addTo, type Ledger } from "./ledger.ts";
import type { Json, User } from "./user.ts";

/** An estimation, and who works on it. */
export interface Team {
  readonly ledger: Ledger;
  readonly owner: User;
  readonly editor: User;
  /** People who are asked for reviews now and then, the editor among them. */
  readonly reviewers: readonly User[];
  /** The ids of reviews that were returned to a user, by the reviewer's id. */
  readonly reviews: Map<string, string>;
}

/** Something that a member of a team does: it sends one request or more, and records what was acknowledged. */
type Action = (team: Team, unique: string, random: () => number) => Promise<void>;

const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;
const pathOf = ({ ledger }: Team) => `/api/estimations/${ledger.id}`;
const writer = ({ owner, editor }: Team, random: () => number) => (random() < 0.5 ? owner : editor);

const addNode: Action = async (team, title, random) => {
  const user = writer(team, random);
  const path = `${pathOf(team)}/tree/nodes`;
  const { status, data } = await user.send("add a node", "POST", path, { title, kind: "multi" });
  if (status !== 201) return;
  team.ledger.nodes.add(title);
  const body = { title: `${title} option`, hours: 1 + Math.floor(random() * 9) };
  const added = await user.send("add an option", "POST", `${path}/${data.node?.id}/options`, body);
  if (added.status === 201) team.ledger.nodes.add(body.title);
};

const describe: Action = async (team, description, random) => {
  await writer(team, random).send("edit a field", "PUT", pathOf(team), { description });
};

const read: Action = async (team, _, random) => {
  const user = pick([team.owner, team.editor, ...team.reviewers], random);
  const below = pick(["", "/tree", "/tree/hours", "/reviews", "/versions", "/reviews/mine", "/activity"], random);
  await user.send("read", "GET", pathOf(team) + below);
};

const list: Action = async (team, _, random) => {
  const user = pick([team.owner, team.editor, ...team.reviewers], random);
  await user.send("list", "GET", pick(["/api/estimations", "/api/reviews?role=reviewer", "/api/shares/me"], random));
};

const pin: Action = async (team, label, random) => {
  const { status } = await writer(team, random).send("make a version", "POST", `${pathOf(team)}/versions`, { label });
  if (status === 201) team.ledger.versions.add(label);
};

const ask: Action = async (team, note, random) => {
  const reviewer = pick(team.reviewers, random);
  const body = { reviewerId: reviewer.id, note };
  const { status, data } = await team.owner.send("ask for a review", "POST", `${pathOf(team)}/reviews`, body);
  if (status > 201 || status === 0) return;
  const review = String(data.review?.id);
  team.reviews.set(reviewer.id, review);
  team.ledger.reviews.add(review);
  // The note is always another one, so that every request asks anew.
  team.ledger.events.push(`estimation.submitted ${review}`);
};

const decide: Action = async (team, comment, random) => {
  const reviewer = pick(team.reviewers, random);
  const review = team.reviews.get(reviewer.id);
  if (review === undefined) return;
  const verdict = random() < 0.5 ? "approve" : "request-changes";
  const path = `${pathOf(team)}/reviews/${review}/${verdict}`;
  const { status } = await reviewer.send("decide", "POST", path, { comment });
  if (status !== 200) return;
  addTo(team.ledger.comments, review, comment);
  const event = verdict === "approve" ? "estimation.approved" : "estimation.changes_requested";
  team.ledger.events.push(`${event} ${reviewer.id}`);
};

const comment: Action = async (team, body, random) => {
  const review = pick([...team.reviews.values()], random);
  if (review === undefined) return;
  const user = pick([team.owner, team.editor, ...team.reviewers], random);
  const { status } = await user.send("comment", "POST", `${pathOf(team)}/reviews/${review}/comments`, { body });
  if (status === 201) addTo(team.ledger.comments, review, body);
};

const withdraw: Action = async (team, _, random) => {
  const review = pick([...team.reviews.values()], random);
  if (review !== undefined) await team.owner.send("withdraw", "POST", `${pathOf(team)}/reviews/${review}/withdraw`);
};

const share: Action = async (team, unique, random) => {
  // Not the editor, who would lose the right to edit.
  const guest = random() < 0.5 ? pick(team.reviewers.slice(1), random) : null;
  const body = { email: guest?.email ?? `${unique}@example.org`, permission: "view" };
  const { status, data } = await team.owner.send("share", "POST", `${pathOf(team)}/shares`, body);
  const id = String(data.share?.id);
  if (status === 201) {
    if (!guest) team.ledger.shares.add(id);
    team.ledger.events.push(`share.invited ${id}`);
  }
  if (!guest || (status !== 200 && status !== 201)) return;
  const accepted = await guest.send("accept a share", "POST", `/api/shares/${id}/accept`);
  // Only the first acceptance tells.
  const event = `share.accepted ${id}`;
  if (accepted.status === 200 && !team.ledger.events.includes(event)) team.ledger.events.push(event);
  if (random() < 0.3) await team.owner.send("end a share", "DELETE", `/api/shares/${id}`);
};

/** Each as often as it stands here. */
const ACTIONS: readonly Action[] = [
  ...Array<Action>(6).fill(read),
  ...Array<Action>(3).fill(list),
  ...Array<Action>(6).fill(addNode),
  ...[describe, describe, pin, ask, ask, ask, decide, decide, decide, comment, comment, withdraw, share],
];

export const act = (team: Team, unique: string, random: () => number): Promise<void> =>
  pick(ACTIONS, random)(team, unique, random);

/** Creates the estimation of a team, whose editor accepts a share, and has its owner listen to all events. */
export async function makeTeam(
  ledgerOf: (id: string) => Ledger,
  receiverUrl: string,
  [owner, editor, ...others]: readonly [User, User, ...User[]],
): Promise<Team> {
  const succeed = async (response: ReturnType<User["send"]>): Promise<Json> => {
    const { status, data } = await response;
    if (status === 0 || status >= 300) throw new Error(`preparing the teams returned ${status}`);
    return data;
  };
  const made = await succeed(owner.send("prepare", "POST", "/api/estimations", { title: "Checkout" }));
  const ledger = ledgerOf(String(made.estimation?.id));
  const events = ["share.invited", "share.accepted"];
  for (const name of ["submitted", "approved", "changes_requested"]) events.push(`estimation.${name}`);
  await succeed(owner.send("prepare", "POST", "/api/webhooks", { url: `${receiverUrl}/${owner.id}`, events }));
  const body = { email: editor.email, permission: "edit" };
  const shared = await succeed(owner.send("prepare", "POST", `/api/estimations/${ledger.id}/shares`, body));
  const share = String(shared.share?.id);
  await succeed(editor.send("prepare", "POST", `/api/shares/${share}/accept`));
  ledger.events.push(`share.invited ${share}`, `share.accepted ${share}`);
  ledger.shares.add(share);
  return { ledger, owner, editor, reviewers: [editor, ...others], reviews: new Map() };
}
