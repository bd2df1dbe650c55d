import { createHash } from "node:crypto";
import type { Milestone, MilestoneRecord, milestones } from "../../../contract/endpoints/milestones.ts";
import { FILL_SECONDS } from "../../../contract/endpoints/milestones.ts";
import { limits } from "../../../contract/limits.ts";
import { asOfAt } from "../../../domain/timeline/as-of.ts";
import { milestoneFaults } from "../../../domain/timeline/milestones.ts";
import { type MilestoneState, type Scheduling, schedulingText } from "../../../domain/timeline/scheduling.ts";
import { idsOf } from "../../../domain/tree/shape.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers, WhenAdmitted } from "../../http/handler.ts";
import { listPage, type Order } from "../../http/list-page.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import { Overloaded } from "../../platform/turns.ts";
import type { Services } from "../../services/index.ts";
import { type ContentCall, changeContent, type ReadableEstimation, recordEdit } from "../estimations/index.ts";
import { dormantIdsOf, loadNames, loadSettings, loadSnapshot, type Settings } from "./load.ts";

type States = ReadonlyMap<string, MilestoneState>;

/** Forecasts that are cached. With the milestones and drivers of the largest, some 10 MB. */
const CACHED = 100;

/**
 * Returns a function that forecasts milestones. The most recent forecasts are cached, and those under way too: of several
 * requests for the same one only the first computes it.
 */
export function createForecasts({ compute }: Pick<Services, "compute">) {
  const cached = new Map<string, Promise<States>>();
  return (
    scheduling: Scheduling,
    estimation: { readonly correlation: number; readonly rounding: number },
  ): Promise<States> => {
    const text = schedulingText(scheduling, estimation);
    const key = createHash("sha256").update(text.work).update("\0").update(text.tree).digest("base64");
    const bytes = isForecast(scheduling) ? Number.POSITIVE_INFINITY : text.work.length + text.tree.length;
    const found = cached.get(key) ?? compute.run("forecastMilestones", text, bytes);
    // The least recently used one is first, and is removed.
    cached.delete(key);
    cached.set(key, found);
    if (cached.size > CACHED) for (const first of [...cached.keys()].slice(0, 1)) cached.delete(first);
    found.catch(() => {
      if (cached.get(key) === found) cached.delete(key);
    });
    return found;
  };
}

/** Whether schedules are simulated, which takes long, however few bytes they are made of. */
const isForecast = ({ settings, tasks }: Pick<Scheduling, "settings" | "tasks">): boolean =>
  settings.startDate !== null && tasks.length > 0;

const byCreation: Order<MilestoneRecord, string, readonly [string]> = {
  list: "milestones",
  sample: [""],
  valuesOf: ({ id }) => [id],
  read: ([id]) => (isWellFormedId(id) ? id : null),
};

/** Creating, listing, changing and deleting the milestones of an estimation. */
export function milestoneRoutes(services: Services): Handlers<typeof milestones, ReadableEstimation> {
  const { ids, quotas, pool, compute } = services;
  const forecasts = createForecasts(services);

  const store = async (call: ContentCall, { timeline }: Settings, changed: readonly MilestoneRecord[]) => {
    const { estimation } = await changeContent(call, {
      timeline: { timeline, milestones: changed },
      quotas,
    });
    await recordEdit(call, "timeline.edited", estimation);
    return estimation;
  };

  /**
   * Forecasts a milestone that was stored. Nothing fails here any more: where too much is waiting, it takes too long or the
   * milestone has changed since, it has no forecast. The computation continues then: a later list of the milestones needs it.
   */
  const forecastStored = async (
    estimation: ReadableEstimation,
    milestone: Milestone,
    whenAdmitted: WhenAdmitted,
  ): Promise<Milestone> => {
    const { clock } = services;
    const read = async () => {
      const loaded = await loadSnapshot(pool, estimation.id);
      const { forecast = null } =
        (await forecasts({ ...loaded, asOf: asOfAt(clock.now()) }, estimation)).get(milestone.id) ?? {};
      const now = loaded.milestones.find(({ id }) => id === milestone.id);
      const isSame = now !== undefined && JSON.stringify(now) === JSON.stringify(recordOf(milestone));
      return isSame ? { ...milestone, forecast } : milestone;
    };
    const { promise: late, resolve } = Promise.withResolvers<Milestone>();
    const cancel = clock.after(FILL_SECONDS * 1_000, () => resolve(milestone));
    const made = whenAdmitted(read).catch((error: unknown) => {
      if (error instanceof Overloaded) return milestone;
      throw error;
    });
    return await Promise.race([made, late]).finally(cancel);
  };

  /** Replaces the milestone with the same id, or adds it after all others; it is forecast when the change is committed. */
  const put = async (call: ContentCall, settings: Settings, milestone: MilestoneRecord) => {
    const before = settings.milestones.find(({ id }) => id === milestone.id);
    const names = await loadNames(call.db, call.estimation.id, milestone);
    const known = { nodeIds: idsOf(names.tree.nodes).nodes, taskIds: new Set(names.tasks.map(({ id }) => id)) };
    const faults = milestoneFaults(milestone, before, known);
    if (faults.length > 0) failWith(faults);
    const changed = before
      ? settings.milestones.map((each) => (each === before ? milestone : each))
      : [...settings.milestones, milestone];
    const estimation = await store(call, settings, changed);
    const stored = { ...milestone, dormantIds: dormantIdsOf(names, milestone), forecast: null };
    const hasForecast = settings.settings.startDate !== null && names.tasks.length > 0;
    return {
      data: { milestone: stored },
      revision: estimation.revision,
      ...(hasForecast
        ? {
            afterCommit: async (whenAdmitted: WhenAdmitted) => ({
              milestone: await forecastStored(estimation, stored, whenAdmitted),
            }),
          }
        : {}),
    };
  };

  const demand = ({ milestones: all }: Settings, milestoneId: string): MilestoneRecord =>
    all.find(({ id }) => id === milestoneId) ?? fail("not_found");

  return {
    async listMilestones({ estimation, query, db, now }) {
      const loaded = await loadSnapshot(db, estimation.id);
      const find = async (limit: number, after: string | null) =>
        loaded.milestones
          .filter(({ id }) => after === null || id > after)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit);
      const { rows, nextCursor } = await listPage(byCreation, query, find, limits.pageSizeInside);
      const scheduling = { ...loaded, asOf: asOfAt(now) };
      const states = rows.length > 0 ? await forecasts(scheduling, estimation) : new Map();
      const shown = rows.map((each) => ({ ...each, dormantIds: [], forecast: null, ...states.get(each.id) }));
      return { data: { milestones: shown, nextCursor } };
    },

    async proposeForMilestone({ estimation, params: { milestoneId }, now }) {
      const loaded = await loadSnapshot(pool, estimation.id);
      demand(loaded, milestoneId);
      const text = schedulingText({ ...loaded, asOf: asOfAt(now) }, estimation);
      const bytes = isForecast(loaded) ? Number.POSITIVE_INFINITY : text.work.length + text.tree.length;
      return { data: { proposal: await compute.run("proposeForMilestone", { text, milestoneId }, bytes) } };
    },

    async createMilestone(call) {
      const settings = await loadSettings(call.db, call.estimation.id);
      await quotas.reserve(call.db, { quota: "milestones", used: () => settings.milestones.length + 1 });
      const { title, dueDate, nodeIds = [], taskIds = [] } = call.body;
      return put(call, settings, { id: ids.next("milestone"), title, dueDate, nodeIds, taskIds });
    },

    async updateMilestone(call) {
      const settings = await loadSettings(call.db, call.estimation.id);
      return put(call, settings, { ...demand(settings, call.params.milestoneId), ...call.body });
    },

    async deleteMilestone(call) {
      const settings = await loadSettings(call.db, call.estimation.id);
      const milestone = demand(settings, call.params.milestoneId);
      const names = await loadNames(call.db, call.estimation.id, milestone);
      const changed = settings.milestones.filter((each) => each !== milestone);
      const { revision } = await store(call, settings, changed);
      return {
        data: { milestone: { ...milestone, dormantIds: dormantIdsOf(names, milestone), forecast: null } },
        revision,
      };
    },
  };
}

const recordOf = ({ dormantIds: _, forecast: __, ...record }: Milestone): MilestoneRecord => record;
