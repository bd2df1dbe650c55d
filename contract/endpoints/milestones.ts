import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { Change, component, DateText, Id, NextCursor, Nullable, paging, Shape, Timestamp, Title } from "../shapes.ts";
import { AsOf } from "./timelines.ts";

/** How long the response to a stored change waits for its forecast. */
export const FILL_SECONDS = 5;

const names = (things: string, description: string) =>
  Type.Array(Type.String({ maxLength: limits.refLength }), {
    maxItems: limits.milestoneNames,
    uniqueItems: true,
    description: `Ids of ${things}; ${description}`,
  });

const fields = {
  title: Title(limits.titleLength),
  dueDate: Type.String({
    ...DateText,
    description: "The day by the end of which it is to be reached, in the time zone of the timeline",
  }),
  nodeIds: names("nodes", "the tasks of everything below them have to be done"),
  taskIds: names(
    "tasks",
    "they have to be done, with the tasks below them. If both lists are empty, all tasks have to be done",
  ),
};

const instant = (description: string) => Nullable(Type.String({ ...Timestamp, description }));

const Forecast = Shape({
  asOf: AsOf,
  planned: instant("When it is reached if every task takes its hours"),
  p50: instant("The date that half of the simulated schedules keep; null: later than a schedule may take"),
  p80: instant("The date that 80 % of them keep"),
  p95: instant("The date that 95 % of them keep"),
  probability: Type.Number({ minimum: 0, maximum: 1, description: "The part of them that keeps the due date" }),
  standardError: Type.Number({
    minimum: 0,
    description: "How far the probability may be off because the number of simulated schedules is finite",
  }),
  runs: Type.Integer({ minimum: 1, description: "How many schedules were simulated" }),
  drivers: Type.Array(
    Shape({
      taskId: Id("task"),
      share: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "The part of them in which it is on the critical path",
      }),
    }),
    { description: "The tasks that are most often on the critical path, those that wait for people included" },
  ),
});
export type Forecast = Static<typeof Forecast>;

const record = { id: Id("milestone"), ...fields };
/** A milestone as versions keep it. */
export const MilestoneRecord = component("MilestoneRecord", Shape(record));
export type MilestoneRecord = Static<typeof MilestoneRecord.schema>;

export const Milestone = component(
  "Milestone",
  Shape({
    ...record,
    dormantIds: Type.Array(Type.String(), {
      description: "Named nodes and tasks that do not exist at present, and named tasks that were dropped",
    }),
    forecast: Nullable(Forecast),
  }),
);
export type Milestone = Static<typeof Milestone.schema>;

const outcome = {
  probability: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "The part of the simulated schedules that keeps the due date",
  }),
  standardError: Type.Number({ minimum: 0, description: "How far the probability may be off" }),
  p80: Nullable(
    Type.String({
      ...Timestamp,
      description: "The date that 80 % of them keep; null: later than a schedule may take, or nothing is left to do",
    }),
  ),
};
const isReached = Type.Boolean({
  description:
    "Whether the target is reached with it, with one standard error to spare; false: it is the best that was found",
});

/** What it would take to reach a milestone. */
export const Proposal = component(
  "MilestoneProposal",
  Shape({
    target: Type.Number({ minimum: 0, maximum: 1, description: "The probability that is looked for" }),
    now: Nullable(Shape(outcome, { description: "As things are; null: none of its tasks is scheduled" })),
    people: Nullable(
      Shape(
        {
          people: Type.Array(Shape({ role: Title(limits.roleLength), count: Type.Integer({ minimum: 1 }) }), {
            description: "All people, as `PUT /api/estimations/:id/timeline` takes them",
          }),
          added: Type.Array(
            Shape({
              role: Title(limits.roleLength),
              before: Type.Integer({ minimum: 1 }),
              after: Type.Integer({ minimum: 1 }),
            }),
            { description: "The roles of which there are more" },
          ),
          ...outcome,
          isReached,
        },
        { description: "With whom it is reached; null: with those who are there, or more people do not help" },
      ),
    ),
    scope: Nullable(
      Shape(
        {
          options: Type.Array(
            Shape({
              nodeId: Id("node"),
              optionId: Id("option", "The option that is left out: deselect it"),
              insteadId: Nullable(
                Id("option", "The option of the same question that takes its place: select it; null: none"),
              ),
              hours: Type.Number({ minimum: 0, description: "Expected hours that this saves" }),
              ...outcome,
              isNeeded: Type.Boolean({ description: "Whether it is one of those that are enough together" }),
            }),
            { description: "Options with what leaving each out alone gives, the one that gains most first" },
          ),
          ...outcome,
          isReached,
        },
        { description: "Without which options it is reached; null: with all, or none helps" },
      ),
    ),
    forecasts: Type.Integer({ minimum: 0, description: "How many forecasts were made" }),
    runs: Type.Integer({ minimum: 0, description: "How many schedules each of them simulated" }),
  }),
);
export type Proposal = Static<typeof Proposal.schema>;

const one = Shape({ milestone: Milestone.ref });
const FORECAST = `The forecast comes from ${limits.forecastRuns.toLocaleString("en")} simulated schedules, fewer for very large estimations; it is null if none of the named tasks is scheduled, or if nothing can be scheduled.`;
const FORECAST_OF_CHANGED = `${FORECAST} The milestone is stored first, and then forecast. If that takes more than ${FILL_SECONDS} seconds, because the service is busy, \`forecast\` is null as well, as it is in the response to a repeated \`Idempotency-Key\`: list the milestones later.`;

export const milestones = endpoints({
  listMilestones: {
    method: "GET",
    path: "/api/estimations/:id/milestones",
    tool: {},
    summary: "List the milestones of an estimation with their forecasts, in the order of their creation",
    description: FORECAST,
    access: "estimations:read",
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ milestones: Type.Array(Milestone.ref), nextCursor: NextCursor }) },
  },
  createMilestone: {
    method: "POST",
    path: "/api/estimations/:id/milestones",
    tool: {},
    summary: "Create a milestone: a date by which some tasks have to be done",
    description: FORECAST_OF_CHANGED,
    access: "estimations:write",
    right: "edit",
    body: Shape({
      title: fields.title,
      dueDate: fields.dueDate,
      nodeIds: Type.Optional(fields.nodeIds),
      taskIds: Type.Optional(fields.taskIds),
    }),
    response: { status: 201, created: "/api/estimations/:id/milestones/:milestoneId", data: one },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "timeline.edited",
  },
  updateMilestone: {
    method: "PATCH",
    path: "/api/estimations/:id/milestones/:milestoneId",
    summary: "Change any of the editable fields of a milestone",
    description: FORECAST_OF_CHANGED,
    access: "estimations:write",
    right: "edit",
    body: Change(fields, { matching: ["id"], derived: ["dormantIds", "forecast"] }),
    response: { status: 200, data: one },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "timeline.edited",
  },
  deleteMilestone: {
    method: "DELETE",
    path: "/api/estimations/:id/milestones/:milestoneId",
    summary: "Delete a milestone",
    description: "The response has the deleted milestone, without a forecast.",
    access: "estimations:write",
    right: "edit",
    response: { status: 200, data: one },
    etag: true,
    ifMatch: true,
    activity: "timeline.edited",
  },
  proposeForMilestone: {
    method: "POST",
    path: "/api/estimations/:id/milestones/:milestoneId/what-would-it-take",
    tool: {},
    summary: "Find the people, or the options to leave out, with which a milestone is reached",
    description: `Stores nothing: a proposal is applied by changing the people of the timeline, or by deselecting and selecting the options and then generating the tasks. The probability looked for is 80 %. It comes from at most ${limits.proposalForecasts} forecasts, fewer for very large estimations, with fewer simulated schedules than those of milestones. Questions keep the answers that they need, and options with finished work are not left out. The computation ends when the client closes the connection.`,
    access: "estimations:read",
    right: "read",
    transaction: false,
    endsWithClient: true,
    response: { status: 200, data: Shape({ proposal: Proposal.ref }) },
  },
});
