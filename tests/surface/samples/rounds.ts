import type { rounds } from "../../../contract/endpoints/rounds.ts";
import type { TreeRecords } from "./decision-trees.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface RoundRecords {
  /** An open round of the estimation in which the user and another have answered, and a third has not. */
  readonly round: string;
  /** A round that is revealed. All said the same, and nobody's name is shown: the order, which is drawn, makes no difference. */
  readonly revealed: string;
  /** The option of both. */
  readonly estimated: string;
  /** The other two people, who may read the estimation. */
  readonly estimators: readonly [string, string];
}

const hours = { optimistic: 6, likely: 8, pessimistic: 16 };

/** Has the user and two others estimate options in two rounds, and asks the user in two more. */
export async function makeRounds(
  { app, user, call }: Making,
  { estimation }: EstimationRecords,
  { unselected: estimated, option }: TreeRecords,
): Promise<RoundRecords> {
  const path = `/api/estimations/${estimation}/rounds`;
  const others = [await app.signUp(), await app.signUp()] as const;
  const people = [user, ...others];
  const participants = people.map(({ userId }) => userId);
  const open = async (title: string, more: object = {}) => {
    const { round } = await call("POST", path, { title, optionIds: [estimated], participants, ...more });
    return String(round?.id);
  };
  const send = async (token: string, round: string, body: object) => {
    const { status } = await app.request("POST", `${path}/${round}/estimates`, { token, body });
    if (status !== 200) throw new Error(`estimating returned ${status}`);
  };
  const revealed = await open("First guess", { optionIds: [estimated, option], anonymous: true });
  for (const { token } of people) {
    const estimates = [
      { optionId: estimated, ...hours, note: "As in the last shop." },
      { optionId: option, ...hours },
    ];
    await send(token, revealed, { estimates });
  }
  await call("POST", `${path}/${revealed}/reveal`);
  const round = await open("Vouchers");
  for (const { token } of people.slice(0, 2)) await send(token, round, { optionId: estimated, ...hours });
  await open("Vouchers and gifts");
  await open("Vouchers on paper");
  return { round, revealed, estimated, estimators: [others[0].userId, others[1].userId] };
}

type Records = EstimationRecords & RoundRecords;
const inRound = ({ estimation, round }: Records) => ({ id: estimation, roundId: round });
const inRevealed = ({ estimation, revealed }: Records) => ({ id: estimation, roundId: revealed });

export const roundSamples: Samples<typeof rounds> = {
  listMyRounds: () => ({}),
  openRound: ({ estimation, estimated, estimators, user }) => ({
    params: { id: estimation },
    body: {
      title: "Vouchers, again",
      optionIds: [estimated],
      participants: [user.userId, ...estimators],
    },
  }),
  listRounds: ({ estimation }) => ({ params: { id: estimation } }),
  listAdoptedHours: ({ estimation }) => ({ params: { id: estimation } }),
  getRound: (world) => ({ params: inRound(world) }),
  listRoundOptions: (world) => ({ params: inRevealed(world) }),
  giveEstimates: (world) => ({
    params: inRound(world),
    body: {
      optionId: world.estimated,
      optimistic: 4,
      likely: 16,
      pessimistic: 34,
      note: "The supplier changes often.",
    },
  }),
  skipOptions: (world) => ({ params: inRound(world), body: { optionId: world.estimated } }),
  revealRound: (world) => ({ params: inRound(world) }),
  repeatRound: (world) => ({
    params: inRevealed(world),
    body: { title: "After talking", optionIds: [world.estimated] },
  }),
  adoptHours: (world) => ({ params: inRevealed(world), body: { optionId: world.estimated, from: "pool" } }),
  closeRound: (world) => ({ params: inRound(world) }),
};
