import type { rounds } from "../../../contract/endpoints/rounds.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import type { ThreePoint } from "../../../contract/values/tree.ts";
import { isAsEstimated, samePoints, withHours } from "../../../domain/rounds/adopt.ts";
import { locateOptions } from "../../../domain/rounds/options.ts";
import { isLocked } from "../../../domain/states.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { pointsOf, type Tree } from "../../../domain/tree/shape.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { changeContent, loadTree, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { findVersionWithSnapshot } from "../versions/index.ts";
import { type AdoptedRow, listAdopted, saveAdopted } from "./adopted-store.ts";
import { listEstimates, readOptions } from "./estimate-store.ts";
import { presentAdopted } from "./present.ts";
import { lockRound, type RoundRow } from "./store.ts";

type AdoptCall = Call<typeof rounds.adoptHours, ReadableEstimation>;

interface Wanted {
  readonly path: string;
  readonly optionId: string;
  readonly from: string;
}

const fault = (path: string, code: Fault["code"], message: string): Fault => ({ path, in: "body", code, message });

/** Returns what a body asks for. Refuses (400) one of neither form or of both, and an option that is named twice. */
function readWanted({ optionId, from, options }: AdoptCall["body"]): Wanted[] {
  if (options === undefined) {
    if (optionId !== undefined && from !== undefined) return [{ path: "", optionId, from }];
    const missing = Object.entries({ optionId, from }).flatMap(([name, value]) => (value === undefined ? [name] : []));
    return failWith(missing.map((name) => fault(`/${name}`, "required", "is missing; or send `options`")));
  }
  const given = Object.entries({ optionId, from }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length > 0)
    failWith(given.map((name) => fault(`/${name}`, "not_allowed", "cannot be combined with `options`")));
  const wanted = options.map((one, at) => ({ ...one, path: `/options/${at}` }));
  const seen = new Set<string>();
  const repeated = wanted.filter(({ optionId: id }) => seen.has(id) || !seen.add(id));
  if (repeated.length > 0)
    failWith(repeated.map(({ path }) => fault(`${path}/optionId`, "repeated", "names an option for the second time")));
  return wanted;
}

/**
 * Gives options of a locked estimation hours of a revealed round, in one change of content, and remembers where they are from. Refuses
 * (409) a round whose estimates are not shown, an option that has changed or is gone, and locked content; (400) options and
 * estimates that the round does not have.
 */
export async function adoptHours(services: Services, call: AdoptCall) {
  const { estimation, params, actor, body, db, now } = call;
  if (isLocked(estimation.status)) fail("estimation_locked", { details: { status: estimation.status } });
  const round = (await lockRound(db, estimation.id, params.roundId)) ?? fail("not_found");
  if (round.status !== "revealed") fail("round_not_revealed", { details: { status: round.status } });
  const wanted = readWanted(body);
  const chosen = await choose(call, round, wanted);
  await checkUnchanged(call, round, chosen);
  const hours = new Map(chosen.map(({ optionId, hours: points }) => [optionId, points]));
  const changed = await changeContent<object>(call, {
    edit: (current) => withHours(current, hours),
    ids: services.treeIds(estimation.id),
  });
  await saveAdopted(
    db,
    estimation.id,
    chosen.map((one) => ({
      ...one,
      ...{ estimationId: estimation.id, roundId: round.id, userId: actor.userId, adoptedAt: now },
    })),
  );
  await recordActivity(call, "round.adopted", { subject: { roundId: round.id }, after: changed.estimation });
  return { ...changed, optionIds: wanted.map(({ optionId }) => optionId) };
}

type Chosen = Pick<AdoptedRow, "optionId" | "from" | "hours" | "people" | "agreement">;

/** Returns the hours that are wanted. Refuses (400) what the round does not have. */
async function choose({ db }: Pick<AdoptCall, "db">, { id }: RoundRow, wanted: readonly Wanted[]): Promise<Chosen[]> {
  const optionIds = wanted.map(({ optionId }) => optionId);
  const options = new Map((await readOptions(db, id, optionIds)).map((row) => [row.optionId, row]));
  const estimates = new Map((await listEstimates(db, id, optionIds)).map((row) => [row.id, row]));
  const faults: Fault[] = [];
  const chosen = wanted.flatMap(({ path, optionId, from }): Chosen[] => {
    const summary = options.get(optionId)?.summary;
    if (!summary) {
      faults.push(fault(`${path}/optionId`, "unknown_reference", "must be the id of an option of the round"));
      return [];
    }
    const { people, agreement, pool, median } = summary;
    const estimate = estimates.get(from);
    const found =
      from === "pool"
        ? pool?.hours
        : from === "median"
          ? median
          : estimate?.optionId === optionId
            ? estimate
            : undefined;
    if (!found) {
      faults.push(
        fault(`${path}/from`, "unknown_reference", "must be `pool`, `median` or the id of an estimate that is shown"),
      );
      return [];
    }
    const { optimistic, likely, pessimistic } = found;
    const hours = { optimistic, likely, pessimistic };
    return [{ optionId, from: from === "pool" || from === "median" ? from : "estimate", hours, people, agreement }];
  });
  return faults.length > 0 ? failWith(faults) : chosen;
}

/** Refuses (409) an option that is not any more what people estimated. */
async function checkUnchanged(
  { db, estimation }: Pick<AdoptCall, "db" | "estimation">,
  round: RoundRow,
  chosen: readonly Chosen[],
): Promise<void> {
  const version = (await findVersionWithSnapshot(db, estimation.id, round.versionId)) ?? fail("not_found");
  const [before, current] = [version.snapshot.tree, await loadTree(db, estimation.id)];
  const then = await inTurn(aboutBytes(before.nodes), () => locateOptions(before));
  const now = await inTurn(aboutBytes(current.nodes), () => locateOptions(current));
  const ofRound = (await listAdopted(db, estimation.id)).filter(({ roundId }) => roundId === round.id);
  const given = Map.groupBy(ofRound, ({ optionId }) => optionId);
  for (const { optionId } of chosen) {
    const [estimated, option] = [then.get(optionId)?.option, now.get(optionId)?.option];
    if (!estimated || !option) fail("round_option_changed", { details: { optionId, reason: "gone" } });
    const own = (given.get(optionId) ?? []).map(({ hours }) => hours);
    if (!isAsEstimated(estimated, option, own))
      fail("round_option_changed", { details: { optionId, reason: "changed" } });
  }
}

/** Returns where hours of a tree are from, as the API shows it, in tree order: of those options that still have the hours. */
export async function shownAdopted(call: Pick<AdoptCall, "db">, estimationId: string, tree: Tree) {
  const rows = Map.groupBy(await listAdopted(call.db, estimationId), ({ optionId }) => optionId);
  if (rows.size === 0) return [];
  const located = await inTurn(aboutBytes(tree.nodes), () => locateOptions(tree));
  return [...located.values()].flatMap(({ option }) => {
    const hours = pointsOf(option) as ThreePoint | null;
    const row = rows.get(option.id)?.find((one) => samePoints(one.hours, hours));
    return row ? [presentAdopted(row)] : [];
  });
}
