import type { rounds } from "../../../contract/endpoints/rounds.ts";
import { limits } from "../../../contract/limits.ts";
import type { Round } from "../../../contract/values/round.ts";
import { may } from "../../../domain/access.ts";
import { presentHours } from "../../../domain/tree/hours/present-hours.ts";
import { rollUp } from "../../../domain/tree/hours/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage, type Order } from "../../http/list-page.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { adoptHours, shownAdopted } from "./adopt.ts";
import { giveEstimates, skipOptions } from "./answer.ts";
import { closeRound } from "./close.ts";
import { listEstimates, listOptions, type OptionRow } from "./estimate-store.ts";
import { openRound, repeatRound } from "./open.ts";
import { findOwn } from "./participant-store.ts";
import { presentOption, presentRounds } from "./present.ts";
import { revealByHand } from "./reveal.ts";
import { findRound, listRounds, listWaiting } from "./store.ts";

const ofEstimation = byId("rounds");
const ofPerson = byId("rounds.mine");

/** In tree order. */
const byPosition: Order<Pick<OptionRow, "position">, number, readonly [number]> = {
  list: "rounds.options",
  sample: [0],
  valuesOf: ({ position }) => [position],
  read: ([position]) => (Number.isSafeInteger(position) && position >= 0 && position < 2 ** 31 ? position : null),
};

/** Estimating together: opening rounds, estimating, revealing, repeating, adopting. */
export function roundRoutes(services: Services): Handlers<typeof rounds, ReadableEstimation> {
  const readerIn = ({ access }: Pick<ReadableEstimation, "access">, userId: string) => ({
    ...{ userId, seesAddresses: may(access, "edit") === "allowed" },
  });

  interface OfRound {
    readonly db: Queryable;
    readonly estimation: ReadableEstimation;
    readonly actor: { readonly userId: string };
  }

  const shown = async ({ db, estimation, actor }: OfRound, id: string): Promise<{ round: Round }> => {
    const row = (await findRound(db, estimation.id, id)) ?? fail("not_found");
    const [round] = await presentRounds(db, [row], readerIn(estimation, actor.userId));
    return { round: round as Round };
  };

  return {
    async listMyRounds({ actor, query, db }) {
      const { userId } = actor;
      const { rows, nextCursor } = await listPage(ofPerson, query, (limit, afterId) =>
        listWaiting(db, userId, limit, afterId),
      );
      const reader = { userId, seesAddresses: false };
      return { data: { rounds: await presentRounds(db, rows, reader), nextCursor } };
    },

    async openRound(call) {
      return { data: await shown(call, await openRound(services, call)) };
    },

    async listRounds({ estimation, actor, query, db }) {
      const find = (limit: number, afterId: string | null) => listRounds(db, estimation.id, limit, afterId);
      const { rows, nextCursor } = await listPage(ofEstimation, query, find);
      return {
        data: { rounds: await presentRounds(db, rows, readerIn(estimation, actor.userId)), nextCursor },
      };
    },

    async listAdoptedHours({ db, estimation }) {
      return { data: { adopted: await shownAdopted({ db }, estimation.id, estimation.tree) } };
    },

    getRound: async (call) => ({ data: await shown(call, call.params.roundId) }),

    async listRoundOptions({ db, estimation, actor, params, query }) {
      const { id: estimationId } = estimation;
      const round = (await findRound(db, estimationId, params.roundId)) ?? fail("not_found");
      const find = (limit: number, after: number | null) => listOptions(db, round.id, limit, after);
      const { rows, nextCursor } = await listPage(byPosition, query, find, limits.pageSizeInside);
      const optionIds = rows.map(({ optionId }) => optionId);
      const { userId } = actor;
      // After the options: what is shown of them then has its estimates.
      const own = await findOwn(db, { roundId: round.id, estimationId, userId });
      const all = rows.every(({ summary }) => summary === null) ? [] : await listEstimates(db, round.id, optionIds);
      const estimates = Map.groupBy(all, ({ optionId }) => optionId);
      return { data: { options: rows.map((row) => presentOption(row, { userId, own, estimates })), nextCursor } };
    },

    giveEstimates: async (call) => ({ data: { you: await giveEstimates(call) } }),

    skipOptions: async (call) => ({ data: { you: await skipOptions(call) } }),

    async revealRound(call) {
      await revealByHand(services, call);
      return { data: await shown(call, call.params.roundId) };
    },

    async repeatRound(call) {
      return { data: await shown(call, await repeatRound(services, call)) };
    },

    async adoptHours(call) {
      const { estimation, tree, treeBytes, optionIds } = await adoptHours(services, call);
      const adopted = new Map(
        (await shownAdopted(call, estimation.id, tree)).map((one) => [one.optionId, one] as const),
      );
      const hours = await inTurn(treeBytes, () => presentHours(rollUp(tree, estimation)));
      const inOrder = optionIds.flatMap((id) => adopted.get(id) ?? []);
      return { data: { adopted: inOrder, hours }, revision: estimation.revision };
    },

    async closeRound(call) {
      await closeRound(services, call);
      return { data: await shown(call, call.params.roundId) };
    },
  };
}
