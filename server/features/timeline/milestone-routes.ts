import { limits } from "../../../contract/limits.ts";
import type { Milestone, MilestoneRecord, milestones } from "../../../contract/milestones.ts";
import { milestoneFaults } from "../../../domain/timeline/milestones.ts";
import { idsOf } from "../../../domain/tree/shape.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { listPage, type Order } from "../../http/list-page.ts";
import { refuseBeyond } from "../../http/quota.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import type { Services } from "../../services.ts";
import {
  type ContentCall,
  changeContent,
  type LockedEstimation,
  type ReadableEstimation,
} from "../estimations/index.ts";
import { createForecasts } from "./forecasts.ts";
import {
  cover,
  type Loaded,
  loadNames,
  loadSettings,
  loadSnapshot,
  type Names,
  planOf,
  type Settings,
} from "./load.ts";
import { presentMilestone } from "./present.ts";

const byCreation: Order<MilestoneRecord, string, readonly [string]> = {
  list: "milestones",
  sample: [""],
  valuesOf: ({ id }) => [id],
  read: ([id]) => (isWellFormedId(id) ? id : null),
};

/** Whether there is something to schedule. */
const isForecast = ({ settings }: Settings, { tasks }: { readonly tasks: readonly unknown[] }): boolean =>
  settings.startDate !== null && tasks.length > 0;

/** Creating, listing, changing and deleting the milestones of an estimation. */
export function milestoneRoutes({ config, ids, log }: Services): Handlers<typeof milestones, ReadableEstimation> {
  const forecasts = createForecasts(log);

  const withForecasts = (
    loaded: Loaded,
    shown: readonly MilestoneRecord[],
    estimation: ReadableEstimation,
  ): Milestone[] => {
    const covered = cover(loaded, loaded.milestones);
    const { plan } = shown.length > 0 && isForecast(loaded, loaded) ? planOf(loaded, covered) : { plan: null };
    const found = plan ? forecasts(plan, covered, loaded, estimation) : undefined;
    const coveredById = new Map(covered.map((each) => [each.id, each]));
    return shown.map((each) => presentMilestone(each, coveredById.get(each.id), found?.get(each.id)));
  };

  const store = async (call: ContentCall, { timeline }: Settings, changed: readonly MilestoneRecord[]) => {
    const { estimation } = await changeContent(call, {
      timeline: { timeline, milestones: changed },
      quotaBytes: config.quotas.treeBytes,
    });
    return estimation;
  };

  /**
   * Replaces the milestone with the same id, or adds it after all others. The forecast is made afterwards, when the change no
   * longer keeps other writes waiting.
   */
  const put = async (call: ContentCall, settings: Settings, milestone: MilestoneRecord) => {
    const before = settings.milestones.find(({ id }) => id === milestone.id);
    const names = await loadNames(call.db, call.estimation.id, milestone);
    const known = { nodeIds: idsOf(names.tree.nodes).nodes, taskIds: new Set(names.tasks.map(({ id }) => id)) };
    const faults = milestoneFaults(milestone, before, known);
    if (faults.length > 0) failWith(faults);
    const changed = before
      ? settings.milestones.map((each) => (each === before ? milestone : each))
      : [...settings.milestones, milestone];
    const estimation: LockedEstimation = await store(call, settings, changed);
    return {
      data: { milestone: withoutForecast(names, milestone) },
      revision: estimation.revision,
      isWhole: !isForecast(settings, names),
    };
  };

  const demand = ({ milestones: all }: Settings, milestoneId: string): MilestoneRecord =>
    all.find(({ id }) => id === milestoneId) ?? fail("not_found");

  return {
    async listMilestones({ estimation, query, db }) {
      const loaded = await loadSnapshot(
        db,
        estimation.id,
        ({ settings, milestones: all }) => settings.startDate !== null && all.length > 0,
      );
      const find = async (limit: number, after: string | null) =>
        loaded.milestones
          .filter(({ id }) => after === null || id > after)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit);
      const { rows, nextCursor } = await listPage(byCreation, query, find, limits.pageSizeInside);
      return { data: { milestones: withForecasts(loaded, rows, estimation), nextCursor } };
    },

    async createMilestone(call) {
      const settings = await loadSettings(call.db, call.estimation.id);
      refuseBeyond("milestones", limits.milestones, settings.milestones.length + 1);
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
      return { data: { milestone: withoutForecast(names, milestone) }, revision };
    },
  };
}

/** Returns a milestone without a forecast. */
const withoutForecast = (names: Names, milestone: MilestoneRecord): Milestone =>
  presentMilestone(milestone, cover(names, [milestone])[0]);
