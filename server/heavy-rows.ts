import { decisionTrees } from "../contract/decision-trees.ts";
import { estimations } from "../contract/estimations.ts";
import { importExport } from "../contract/import-export.ts";
import type { Contract } from "../contract/index.ts";
import { milestones } from "../contract/milestones.ts";
import { reviews } from "../contract/reviews.ts";
import { states } from "../contract/states.ts";
import { suggestions } from "../contract/suggestions.ts";
import { tasks } from "../contract/tasks.ts";
import { templates } from "../contract/templates.ts";
import { threads } from "../contract/threads.ts";
import { timelines } from "../contract/timelines.ts";
import { versions } from "../contract/versions.ts";
import { decisionTreeRoutes } from "./features/decision-trees/routes.ts";
import type { ReadableEstimation } from "./features/estimations/index.ts";
import { estimationRoutes } from "./features/estimations/routes.ts";
import { importExportRoutes } from "./features/import-export/routes.ts";
import { hideReviews, reviewRoutes } from "./features/reviews/index.ts";
import { stateRoutes } from "./features/states/index.ts";
import { type AskModel, suggestionRoutes } from "./features/suggestions/index.ts";
import { taskRoutes } from "./features/tasks/index.ts";
import { templateRoutes } from "./features/templates/index.ts";
import { threadRoutes } from "./features/threads/index.ts";
import { milestoneRoutes, timelineRoutes } from "./features/timeline/index.ts";
import { versionRoutes } from "./features/versions/index.ts";
import type { Handlers } from "./http/handler.ts";
import type { Services } from "./services.ts";

/** All rows that are marked as heavy: leaving one out does not compile. */
type HeavyRows = { [K in keyof Contract as Contract[K] extends { readonly heavy: true } ? K : never]: Contract[K] };

/** The tables that have heavy rows, … */
export const heavyTables = {
  ...estimations,
  ...decisionTrees,
  ...importExport,
  ...states,
  ...versions,
  ...tasks,
  ...suggestions,
  ...templates,
  ...timelines,
  ...milestones,
  ...threads,
  ...reviews,
} satisfies HeavyRows;

/** … and their handlers, for the process and for its threads; these ask no language model. */
export const heavyHandlers = (
  services: Services,
  ask: AskModel | null = null,
): Handlers<typeof heavyTables, ReadableEstimation> => ({
  ...estimationRoutes(services, hideReviews),
  ...decisionTreeRoutes(services),
  ...importExportRoutes(services),
  ...stateRoutes(services),
  ...versionRoutes(services),
  ...taskRoutes(services),
  ...suggestionRoutes(services, ask),
  ...templateRoutes(services),
  ...timelineRoutes(services),
  ...milestoneRoutes(services),
  ...threadRoutes(services),
  ...reviewRoutes(services),
});
