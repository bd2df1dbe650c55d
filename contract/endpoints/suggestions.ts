import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { component, Hours, Id, Nullable, OneOf, OrNull, Shape, Title } from "../shapes.ts";
import { Ratio as HoursRatio, Ranges } from "./accuracy.ts";

const suggestionWarnings = [
  "little_history",
  "options_without_hours",
  "largest_options_only",
  "newest_evidence_only",
  "language_model_busy",
  "language_model_failed",
] as const;
const abstentions = ["nothing_counted", "nothing_known"] as const;
const suggestionMethods = [
  "generic_band",
  "finished_tasks",
  "finished_tasks_and_estimates",
  "finished_tasks_and_language_model",
] as const;

const Rung = Type.Integer({
  minimum: 1,
  maximum: 4,
  description:
    "What it is based on: 1 the tree alone, widened by the usual spread; 2 what similar finished tasks took; 3 the hours of the tree, corrected by how long finished tasks took compared with their estimates; 4 one of the last two, and a language model",
});
const SuggestedHours = component(
  "SuggestedHours",
  Shape(
    { p10: Hours(), p50: Hours(), p80: Hours(), p90: Hours() },
    { description: "Hours that suffice with 10, 50, 80 and 90 % probability" },
  ),
);
const Ratio = Nullable(
  Type.Number({
    minimum: 0,
    description: "The suggested P50 divided by that of the tree; null where the tree has no hours",
  }),
);

/** Hours suggested for an estimation, and what they are based on. */
export const Suggestion = component(
  "Suggestion",
  Shape({
    hours: OrNull(SuggestedHours.ref),
    reason: Nullable(
      OneOf(abstentions, {
        description:
          "Why nothing is suggested: no option counts, or the tree has no hours and there are too few finished tasks. Null where there is a suggestion",
      }),
    ),
    current: Shape({ p50: Hours(), p80: Hours(), p90: Hours() }, { description: "The hours of the tree as they are" }),
    ratio: Ratio,
    rung: Rung,
    method: OneOf(suggestionMethods),
    evidence: Shape({
      n: Type.Integer({
        minimum: 0,
        description:
          "Finished tasks that it is based on: done, with estimated and actual hours above 0, in other estimations that you own or have changed",
      }),
      analogs: Type.Array(
        Shape({
          taskId: Id("task"),
          title: Nullable(Type.String({ description: "Null for an API key without the scope `tasks:read`" })),
          similarity: Type.Number({
            minimum: 0,
            maximum: 1,
            description: "How many significant words both have in common",
          }),
          estimatedHours: Hours(),
          actualHours: Hours(),
        }),
        { description: "The most similar finished tasks, the most similar first" },
      ),
    }),
    perOption: Type.Array(
      Shape({
        optionId: Id("option"),
        rung: Rung,
        hours: OrNull(SuggestedHours.ref),
        current: Nullable(Hours()),
      }),
      {
        description:
          "The counted options in tree order, the 200 largest if there are more; `current` is the expected hours",
      },
    ),
    warnings: Type.Array(OneOf(suggestionWarnings), {
      description:
        "`little_history`: fewer than ten finished tasks; `options_without_hours`: counted options have no estimate; `largest_options_only`: small options were judged together; `newest_evidence_only`: there are more finished tasks than were used, or older estimations that were not looked at; the language model was not asked because too many questions are under way or were asked lately (`language_model_busy`), or did not give a usable response (`language_model_failed`)",
    }),
    inputHash: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Hash of what the suggestion was computed from; the same input gives the same suggestion",
    }),
  }),
);
export type Suggestion = Static<typeof Suggestion.schema>;

export const verdicts = ["accepted", "rejected"] as const;
export type SuggestionVerdict = (typeof verdicts)[number];

const Feedback = component(
  "SuggestionFeedback",
  Shape({
    inputHash: Type.String(),
    verdict: OneOf(verdicts),
    hours: Nullable(Hours()),
    suggested: SuggestedHours.ref,
    createdAt: Type.String({ format: "date-time", description: "ISO 8601 in UTC with milliseconds" }),
  }),
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const scores = {
  n: count("Suggestions with a verdict whose estimation is done: all its open tasks with hours have actual hours"),
  bias: Nullable(
    Type.Number({ description: "Median of actual hours divided by the suggested P50: above 1 the work took longer" }),
  ),
  spread: Nullable(
    Shape(
      { p10: Type.Number(), p90: Type.Number() },
      { description: "10th and 90th percentile of actual hours divided by the suggested P50" },
    ),
  ),
  hitRate: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: "Share between the suggested P10 and P90: 0.8 is right" }),
  ),
};

const Accuracy = component(
  "SuggestionAccuracy",
  Shape({
    ...scores,
    accepted: count("Suggestions that were accepted, done or not"),
    rejected: count("Suggestions that were rejected, done or not"),
    months: Type.Array(
      Shape({
        month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "The month in which the work was done, in UTC" }),
        ...scores,
      }),
      { description: "The same by month, the newest first" },
    ),
  }),
);
export type SuggestionAccuracy = Static<typeof Accuracy.schema>;

/** Whose estimates are compared with what the work took. */
const calibrationsOf = ["me", "people"] as const;

const Calibration = component(
  "Calibration",
  Shape({
    people: count("People whose estimates these are"),
    ratio: HoursRatio.ref,
    ranges: Ranges.ref,
  }),
);
export type Calibration = Static<typeof Calibration.schema>;

export const suggestions = endpoints({
  getSuggestion: {
    method: "GET",
    path: "/api/estimations/:id/suggestion",
    tool: {},
    summary: "Read the suggestion of hours",
    description:
      "Computed on this machine from finished tasks of other estimations that you own or have changed. It changes nothing; the same input gives the same bytes. If the operator has set up a language model, it is asked for a second opinion.",
    access: "estimations:suggestion",
    right: "read",
    withTree: true,
    response: {
      status: 200,
      data: Shape({
        suggestion: Suggestion.ref,
        receipt: Nullable(
          Type.String({ description: "To send with your verdict; null: no hours are suggested. It does not expire" }),
        ),
      }),
    },
  },
  giveSuggestionFeedback: {
    method: "POST",
    path: "/api/estimations/:id/suggestion/feedback",
    summary: "Accept or reject the suggestion",
    description:
      "Records the verdict with what was suggested, to compare it with the actual hours later: also after the hours were taken over. It does not change the estimation. The latest verdict of each person counts.",
    access: "estimations:write",
    right: "edit",
    body: Shape({
      receipt: Title(200),
      verdict: OneOf(verdicts, { description: "Whether you work with the suggested hours" }),
      hours: Type.Optional(Nullable(Hours(limits.treeHoursMax))),
    }),
    response: { status: 200, data: Shape({ feedback: Feedback.ref }) },
    ifMatch: true,
  },
  getSuggestionAccuracy: {
    method: "GET",
    path: "/api/suggestions/accuracy",
    summary: "Compare suggestions with the hours that the work took",
    description:
      "Covers the newest 1,000 estimations that you own or have changed and whose suggestion was accepted or rejected, each with its latest verdict.",
    access: "estimations:suggestion",
    query: Shape({
      by: Type.Optional(
        OneOf(calibrationsOf, {
          description: `Adds \`calibration\`: how estimates that people gave in rounds compare with what the tasks took (\`ratio\`: divided by the likely hours). \`me\`: your own, which nobody else can read. \`people\`: those of everybody in your estimations together, from ${limits.calibratedPeople} people with ${limits.calibratedTasksEach} tasks each and ${limits.calibratedTasks} tasks on, of which nobody has more than half. Those of anonymous rounds are nobody's, and do not count`,
        }),
      ),
    }),
    response: {
      status: 200,
      data: Shape({
        accuracy: Accuracy.ref,
        calibration: Type.Optional(OrNull(Calibration.ref)),
      }),
    },
  },
});
