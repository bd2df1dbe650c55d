import { limits } from "../../../contract/limits.ts";
import type { Provocation, Provoking } from "./provoking.ts";

export const roundErrors = ({ app, owner, asOwner }: Provoking) => {
  /** An estimation of the owner with two options, and two other people. */
  async function fresh() {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "Shop" } });
    const path = `/api/estimations/${data.estimation?.id}`;
    const options = ["Card", "Invoice"].map((title) => ({ title, hours: 4 }));
    const body = { nodes: [{ title: "Payment", kind: "group", options }] };
    const { tree } = (await asOwner("PUT", `${path}/tree`, { body })).data;
    const [first, second] = (tree?.nodes?.[0]?.options ?? []) as unknown as { id: string }[];
    const optionIds = [String(first?.id), String(second?.id)] as const;
    return { path, optionIds, others: [await app.signUp(), await app.signUp()] as const };
  }

  /** An open round of one option in which the owner and another are asked. */
  async function opened() {
    const made = await fresh();
    const { path, others, optionIds } = made;
    const [optionId] = optionIds;
    const participants = [owner.userId, others[0].userId];
    const { data } = await asOwner("POST", `${path}/rounds`, { body: { optionIds: [optionId], participants } });
    const round = `${path}/rounds/${data.round?.id}`;
    const answer = (token: string, hours: number) =>
      app.request("POST", `${round}/estimates`, {
        token,
        body: { optionId, optimistic: hours, likely: hours, pessimistic: hours },
      });
    return { ...made, optionId, round, answer };
  }

  /** The same, revealed; the two say these hours. */
  async function revealed(first = 1, second = 2) {
    const made = await opened();
    await made.answer(owner.token, first);
    await made.answer(made.others[0].token, second);
    await asOwner("POST", `${made.round}/reveal`);
    return made;
  }

  /** The path of the rounds of an estimation that has as many as it may have, and one of them, which is revealed. */
  async function full() {
    const made = await revealed();
    await app.pool.query(
      `insert into rounds select (jsonb_populate_record(r, jsonb_build_object('id', 'rnd_' || left(md5(r.id || n), 26), 'number', n))).*
       from rounds r, generate_series(2, $2::int) n where r.estimation_id = $1`,
      [made.path.split("/")[3], limits.roundsPerEstimation],
    );
    return made;
  }

  const notOpen = (what: string, body: object) => async () => {
    const { round, optionId } = await revealed();
    return asOwner("POST", `${round}/${what}`, { body: { optionId, ...body } });
  };
  const points = { optimistic: 1, likely: 1, pessimistic: 1 };
  const estimateInRevealed = notOpen("estimates", points);
  const tooFew = async () => {
    const { round, answer } = await opened();
    await answer(owner.token, 1);
    return asOwner("POST", `${round}/reveal`);
  };
  const answerMissing = async () => asOwner("POST", `${(await opened()).round}/reveal`);
  const notRevealed = (what: string, body: (optionId: string) => object) => async () => {
    const { round, optionId } = await opened();
    return asOwner("POST", `${round}/${what}`, { body: body(optionId) });
  };
  const adoptTooEarly = notRevealed("adopt", (optionId) => ({ optionId, from: "pool" }));
  const agreed = async () => asOwner("POST", `${(await revealed(2, 2)).round}/again`);
  const changed = async () => {
    const { path, round, optionId } = await revealed();
    await asOwner("PATCH", `${path}/tree/options/${optionId}`, { body: { title: "Card and more" } });
    return asOwner("POST", `${round}/adopt`, { body: { optionId, from: "pool" } });
  };

  return {
    round_not_open: estimateInRevealed,
    round_not_revealed: adoptTooEarly,
    round_too_few: tooFew,
    round_answer_missing: answerMissing,
    round_agreed: agreed,
    round_option_changed: changed,
    "giveEstimates round_not_open": estimateInRevealed,
    "giveEstimates limit_reached": async () => {
      const { path, optionIds, others } = await fresh();
      const participants = [owner.userId, others[0].userId];
      const { data } = await asOwner("POST", `${path}/rounds`, { body: { optionIds, participants } });
      const roundId = data.round?.id;
      const answers = [null, [1, 1, 1, "x".repeat(limits.roundNotesBytes)]];
      await app.pool.query("update round_participants set answers = $1 where round_id = $2 and user_id = $3", [
        JSON.stringify(answers),
        roundId,
        owner.userId,
      ]);
      return asOwner("POST", `${path}/rounds/${roundId}/estimates`, {
        body: { optionId: optionIds[0], ...points, note: "x" },
      });
    },
    "skipOptions round_not_open": notOpen("skip", {}),
    "revealRound round_not_open": async () => {
      const { round } = await opened();
      await asOwner("POST", `${round}/close`);
      return asOwner("POST", `${round}/reveal`);
    },
    "revealRound round_too_few": tooFew,
    "revealRound round_answer_missing": answerMissing,
    "repeatRound round_not_revealed": notRevealed("again", () => ({})),
    "repeatRound round_agreed": agreed,
    "repeatRound limit_reached": async () => asOwner("POST", `${(await full()).round}/again`),
    "adoptHours round_not_revealed": adoptTooEarly,
    "adoptHours round_option_changed": changed,
    "openRound limit_reached": async () => {
      const { path, others, optionIds } = await full();
      const participants = others.map(({ userId }) => userId);
      return asOwner("POST", `${path}/rounds`, { body: { optionIds, participants } });
    },
  } satisfies Record<string, Provocation>;
};
