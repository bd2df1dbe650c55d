import type { rounds } from "../../../contract/endpoints/rounds.ts";
import { limits } from "../../../contract/limits.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { driversOf, type Located, labelOf, locateOptions } from "../../../domain/rounds/options.ts";
import { neededIn } from "../../../domain/rounds/result.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { rollUp } from "../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { demandVerified, findUser, requireCaller, type UserRow } from "../auth/index.ts";
import {
  accountTexts,
  bytesOfTexts,
  type LockedEstimation,
  levelOf,
  loadTree,
  type ReadableEstimation,
  recordActivity,
} from "../estimations/index.ts";
import { shareToView } from "../shares/index.ts";
import { pinVersion } from "../versions/index.ts";
import { listOptions } from "./estimate-store.ts";
import { insertParticipants, listParticipants } from "./participant-store.ts";
import { findInvitees, type Invitee, participantOf } from "./participants.ts";
import { countRounds, insertRound, lockRound, lookNext, type RoundRow } from "./store.ts";
import { tellOpened } from "./tell.ts";

type OpenCall = Call<typeof rounds.openRound, ReadableEstimation>;
type RepeatCall = Call<typeof rounds.repeatRound, ReadableEstimation>;

/** What a new round is made of. */
interface NewRound {
  readonly title: string | null;
  readonly anonymous: boolean;
  readonly deadline: Date | null;
  readonly repeatsId: string | null;
  readonly invitees: readonly Invitee[];
  readonly tree: Tree;
  readonly options: readonly Located[];
}

const DAY_MS = 86_400_000;

/**
 * Opens a round about the current content of a locked estimation, which becomes a version, and returns its id. Who may not read
 * the estimation yet gets a share. Refuses (403) a caller whose address is not verified, (400) unknown options and participants and a deadline that is not
 * ahead, and (409) more rounds, versions, shares or texts than there may be.
 */
export async function openRound(services: Services, call: OpenCall): Promise<string> {
  const { estimation, body, db, now } = call;
  const { title = null, anonymous = false, participants } = body;
  const opener = await demandOpener(services, call);
  const deadline = readDeadline(body.deadline, now);
  const invitees = await findInvitees(db, services, { participants, anonymous });
  const tree = await loadTree(db, estimation.id);
  const options = await chosenOptions(estimation, tree, body.optionIds);
  for (const invitee of invitees) {
    const isReader = invitee.user && (await levelOf(db, estimation.id, invitee.user.id)) !== null;
    if (!isReader) await shareToView(services, call, opener, invitee);
  }
  const round = { title, anonymous, deadline, repeatsId: null, invitees, tree, options };
  return make(services, call, opener, round);
}

/**
 * Opens another round of a revealed one, for the same people, and returns its id: by default of the options that they disagree
 * about and that are still there. Refuses (409) a round that is not revealed, one where nothing is left, and what `openRound` refuses.
 */
export async function repeatRound(services: Services, call: RepeatCall): Promise<string> {
  const { estimation, params, body, db, now } = call;
  const opener = await demandOpener(services, call);
  const former = (await lockRound(db, estimation.id, params.roundId)) ?? fail("not_found");
  if (former.status !== "revealed") fail("round_not_revealed", { details: { status: former.status } });
  const deadline = readDeadline(body.deadline, now);
  const tree = await loadTree(db, estimation.id);
  const located = await inTurn(aboutBytes(tree.nodes), () => locateOptions(tree));
  const rows = await listOptions(db, former.id, limits.roundOptions, null);
  const known = new Set(rows.map(({ optionId }) => optionId));
  checkOptionIds(body.optionIds ?? [], (id) => known.has(id) && located.has(id));
  const wanted = new Set(
    body.optionIds ?? rows.flatMap(({ optionId, summary }) => (summary?.disagrees ? [optionId] : [])),
  );
  const options = [...located].flatMap(([id, one]) => (wanted.has(id) ? [one] : []));
  if (options.length === 0) fail("round_agreed");
  const invitees = await inviteesOf(db, former);
  const needed = neededIn(former);
  if (invitees.length < needed)
    failWith([
      {
        ...{ path: "", in: "body", code: "too_few" },
        message: `fewer than ${needed} of those who were asked can still take part: open a new round`,
      },
    ]);
  const { anonymous, id: repeatsId } = former;
  return make(services, call, opener, {
    ...{ title: body.title === undefined ? former.title : body.title, anonymous, deadline, repeatsId },
    ...{ invitees, tree, options },
  });
}

async function demandOpener(services: Services, { db, actor }: Pick<OpenCall, "db" | "actor">): Promise<UserRow> {
  const opener = requireCaller(await findUser(db, actor.userId));
  demandVerified(opener, services);
  return opener;
}

function readDeadline(text: string | null | undefined, now: Date): Date | null {
  if (text === null || text === undefined) return null;
  const deadline = new Date(text);
  const latest = now.getTime() + limits.roundDays * DAY_MS;
  if (deadline > now && deadline.getTime() <= latest) return deadline;
  return failWith([
    {
      ...{ path: "/deadline", in: "body", code: "out_of_range" },
      message: `must be later than now, and at most ${limits.roundDays} days away`,
    },
  ]);
}

function checkOptionIds(ids: readonly string[], isKnown: (id: string) => boolean): void {
  const faults = ids.flatMap((id, at): Fault[] =>
    isKnown(id)
      ? []
      : [
          {
            ...{ path: `/optionIds/${at}`, in: "body", code: "unknown_reference" },
            message: "must be the id of an option that is in the tree",
          },
        ],
  );
  if (faults.length > 0) failWith(faults);
}

/** Returns the options that are to be estimated, in tree order. */
async function chosenOptions(
  estimation: LockedEstimation,
  tree: Tree,
  optionIds: readonly string[] | undefined,
): Promise<Located[]> {
  const bytes = aboutBytes(tree.nodes);
  const located = await inTurn(bytes, () => locateOptions(tree));
  checkOptionIds(optionIds ?? [], (id) => located.has(id));
  const ids = optionIds ?? driversOf((await inTurn(bytes, () => rollUp(tree, estimation))).uncertainty);
  const wanted = new Set(ids.slice(0, limits.roundOptions));
  if (wanted.size > 0) return [...located].flatMap(([id, one]) => (wanted.has(id) ? [one] : []));
  return failWith([
    {
      ...{ path: "/optionIds", in: "body", code: "required" },
      message: "is missing: no option that counts has hours, so say which are to be estimated",
    },
  ]);
}

/** Returns who was asked in an earlier round and still can be: who may read the estimation, and addresses that are invited to. */
async function inviteesOf(db: Queryable, { id, estimationId }: RoundRow): Promise<Invitee[]> {
  const invitees: Invitee[] = [];
  for (const { userId, email } of await listParticipants(db, [id])) {
    const user = userId === null ? undefined : await findUser(db, userId);
    const mayRead = user && user.disabledAt === null && (await levelOf(db, estimationId, user.id)) !== null;
    if (user && mayRead) invitees.push({ user });
    else if (!user && email !== null) invitees.push({ email });
  }
  return invitees;
}

async function make(
  services: Services,
  call: OpenCall | RepeatCall,
  opener: UserRow,
  { title, anonymous, deadline, repeatsId, invitees, tree, options }: NewRound,
): Promise<string> {
  const { estimation, db, now } = call;
  const count = await countRounds(db, estimation.id);
  await services.quotas.reserve(db, { quota: "roundsPerEstimation", used: () => count.rounds + 1 });
  const { id: versionId } = await pinVersion(services, call, tree, { cause: "round", authorId: opener.id });
  const id = services.ids.next("round");
  const labels = options.map((one) => ({ optionId: one.option.id, label: labelOf(one), weight: one.weight }));
  await insertRound(
    db,
    {
      ...{ id, estimationId: estimation.id, number: count.last + 1, title, status: "open" },
      ...{ anonymous, deadline, versionId, repeatsId, openerId: opener.id, openedAt: now },
      lookAt: lookNext(deadline, now),
    },
    labels,
  );
  await insertParticipants(db, id, invitees.map(participantOf), now);
  const texts = labels.flatMap(({ label }) => [label.title, ...label.path]);
  await accountTexts(db, services.quotas, estimation, bytesOfTexts(title, ...texts));
  await recordActivity(call, "round.opened", { subject: { roundId: id } });
  const userIds = invitees.flatMap(({ user }) => (user ? [user.id] : []));
  await tellOpened(db, services, estimation, { id, opener, userIds, now });
  return id;
}
