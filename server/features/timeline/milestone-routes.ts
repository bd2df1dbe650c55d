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
import { cover, type Loaded, loadAll, loadSnapshot, planOf } from "./load.ts";

const byCreation: Order<MilestoneRecord, string, readonly [string]> = {
  list: "milestones",
  sample: [""],
  valuesOf: ({ id }) => [id],
  read: ([id]) => (isWellFormedId(id) ? id : null),
};

/** Whether there is something to schedule. */
const isForecast = ({ settings, tasks }: Loaded): boolean => settings.startDate !== null && tasks.length > 0;

/** Creating, listing, changing and deleting the milestones of an estimation. */
export function milestoneRoutes({ config, ids, log }: Services): Handlers<typeof milestones, ReadableEstimation> {
  const forecasts = createForecasts(log);

  const show = (loaded: Loaded, shown: readonly MilestoneRecord[], estimation: ReadableEstimation): Milestone[] => {
    const covered = cover(loaded);
    const { plan } = shown.length > 0 && isForecast(loaded) ? planOf(loaded, covered) : { plan: null };
    const found = plan ? forecasts(plan, covered, loaded, estimation) : undefined;
    const dormant = new Map(covered.map(({ id, dormantIds }) => [id, dormantIds]));
    return shown.map((milestone) => ({
      ...milestone,
      dormantIds: [...(dormant.get(milestone.id) ?? [])],
      forecast: found?.get(milestone.id) ?? null,
    }));
  };

  const store = async (call: ContentCall, { timeline }: Loaded, changed: readonly MilestoneRecord[]) => {
    const { estimation } = await changeContent(call, {
      timeline: { timeline, milestones: changed },
      quotaBytes: config.quotas.treeBytes,
    });
    return estimation;
  };

  /**
   * Puts a milestone in the place of the one with its id, or after all others. Its forecast is filled in afterwards, when
   * nobody waits for this change any more.
   */
  const put = async (call: ContentCall, loaded: Loaded, milestone: MilestoneRecord) => {
    const before = loaded.milestones.find(({ id }) => id === milestone.id);
    const known = { nodeIds: idsOf(loaded.tree.nodes).nodes, taskIds: new Set(loaded.tasks.map(({ id }) => id)) };
    const faults = milestoneFaults(milestone, before, known);
    if (faults.length > 0) failWith(faults);
    const changed = before
      ? loaded.milestones.map((each) => (each === before ? milestone : each))
      : [...loaded.milestones, milestone];
    const [covered] = cover({ ...loaded, milestones: [milestone] });
    const estimation: LockedEstimation = await store(call, loaded, changed);
    return {
      data: { milestone: { ...milestone, dormantIds: [...(covered?.dormantIds ?? [])], forecast: null } },
      revision: estimation.revision,
      isWhole: !isForecast(loaded),
    };
  };

  const demand = ({ milestones: all }: Loaded, milestoneId: string): MilestoneRecord =>
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
      return { data: { milestones: show(loaded, rows, estimation), nextCursor } };
    },

    async createMilestone(call) {
      const loaded = await loadAll(call.db, call.estimation.id);
      refuseBeyond("milestones", limits.milestones, loaded.milestones.length + 1);
      const { title, dueDate, nodeIds = [], taskIds = [] } = call.body;
      return put(call, loaded, { id: ids.next("milestone"), title, dueDate, nodeIds, taskIds });
    },

    async updateMilestone(call) {
      const loaded = await loadAll(call.db, call.estimation.id);
      return put(call, loaded, { ...demand(loaded, call.params.milestoneId), ...call.body });
    },

    async deleteMilestone(call) {
      const loaded = await loadAll(call.db, call.estimation.id);
      const milestone = demand(loaded, call.params.milestoneId);
      const { dormantIds = [] } = cover(loaded).find(({ id }) => id === milestone.id) ?? {};
      const changed = loaded.milestones.filter((each) => each !== milestone);
      const { revision } = await store(call, loaded, changed);
      return { data: { milestone: { ...milestone, dormantIds: [...dormantIds], forecast: null } }, revision };
    },
  };
}
