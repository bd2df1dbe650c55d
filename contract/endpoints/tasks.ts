import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  AnyOf,
  Change,
  component,
  Hours,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";

export const taskStatuses = ["open", "obsolete"] as const;

/** A task's hours are multiplied by every quantity above it, so only the limit for a whole tree applies. */
const fields = {
  title: Title(limits.taskTitleLength),
  description: Text(limits.descriptionLength, { description: "What is to be done" }),
  hours: Nullable(Hours(limits.treeHoursMax)),
  role: Nullable(Text(limits.roleLength, { description: "Who does it, such as `backend`" })),
  actualHours: Nullable(Hours(limits.treeHoursMax)),
  doneAt: Nullable(
    Type.String({ ...Timestamp, description: "When it was done; null: not yet. Cannot be in the future" }),
  ),
};

/** A piece of work, made from a counted option or a group. */
export const Task = component(
  "Task",
  Shape({
    id: Id("task"),
    optionId: Nullable(Id("option", "The option it comes from; null for the parent task of a group")),
    parentTaskId: Nullable(Id("task", "Id of the task that it is a part of")),
    ...fields,
    droppedAt: Nullable(
      Type.String({
        ...Timestamp,
        description:
          "When its issue was closed although the work was not done; null: it was not. Reading back sets and clears it, and setting `doneAt` clears it. A dropped task is not scheduled, and is no finished work",
      }),
    ),
    position: Type.Integer({ minimum: 0, description: "Place in the list: in tree order, obsolete ones last" }),
    status: OneOf(taskStatuses, {
      description: "obsolete: its option no longer counts, but somebody has worked on the task",
    }),
    edited: Type.Boolean({
      description:
        "Whether title, description, hours or role differ from the generated values; a field that is set back follows the tree again",
    }),
    externalRef: Nullable(
      Shape(
        { target: OneOf(["jira", "github"]), key: Type.String(), url: Type.String() },
        { description: "The issue that it was exported as" },
      ),
    ),
  }),
);
export type Task = Static<typeof Task.schema>;

/** Fields of a task that a user may set. */
export type TaskChanges = Partial<Pick<Task, keyof typeof fields>>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** What a (re)generation did, or would do. Every task is counted once. */
export const GenerationSummary = component(
  "GenerationSummary",
  Shape({
    created: count("New tasks"),
    updated: count("Tasks whose title, description, hours, role or parent changed, and those that are open again"),
    unchanged: count("Tasks left as they were, apart from their position"),
    removed: count("Tasks whose option no longer counts and that nobody has worked on"),
    obsolete: count(
      "Tasks that became obsolete in this run; they stay because they are edited, exported, done or have actual hours",
    ),
    conflicts: Type.Array(
      Shape({
        taskId: Id("task"),
        field: OneOf(["title", "description", "hours", "role"]),
        yours: Type.Unsafe<string | number | null>({ type: ["string", "number", "null"] }),
        theirs: Type.Unsafe<string | number | null>({ type: ["string", "number", "null"] }),
      }),
      {
        description:
          "Fields that a user changed and that the tree has changed since the last generation; the user's value stays. Each change is reported once, by the run that finds it.",
      },
    ),
  }),
);
export type GenerationSummary = Static<typeof GenerationSummary.schema>;

const run = Shape({ tasks: Type.Array(Task.ref), summary: GenerationSummary.ref });

export const tasks = endpoints({
  listTasks: {
    method: "GET",
    path: "/api/estimations/:id/tasks",
    tool: {},
    summary: "List the tasks of an estimation, in order",
    access: "tasks:read",
    right: "read",
    query: Shape({
      status: AnyOf(OneOf(taskStatuses), taskStatuses.length, "Only those with one of these statuses"),
      ...paging(limits.pageSizeInside),
    }),
    response: { status: 200, data: Shape({ tasks: Type.Array(Task.ref), nextCursor: NextCursor }) },
  },
  previewTasks: {
    method: "POST",
    path: "/api/estimations/:id/tasks/preview",
    summary: "Show exactly what generating would store, without storing it",
    access: "tasks:read",
    right: "read",
    transaction: false,
    response: { status: 200, data: run },
    errors: ["limit_reached"],
  },
  generateTasks: {
    method: "POST",
    path: "/api/estimations/:id/tasks/generate",
    tool: {},
    summary: "Generate the tasks from the decision tree, keeping what users changed",
    description: `Each field that no user changed follows the tree; each field that a user changed stays. Generating twice changes nothing the second time. A submitted estimation becomes \`tasks_generated\`. The content that the tasks are generated from is stored as a version if there is room for it. At most ${limits.generationsPerMinute} times a minute. Refused (409 \`limit_reached\`, \`obsoleteTasks\`) if it would make tasks obsolete of which there are then more than ${limits.obsoleteTasks.toLocaleString("en-US")}: delete some of them first. So are texts beyond the quota of the estimation's owner (\`textBytes\`).`,
    access: "tasks:write",
    right: "edit",
    perMinute: limits.generationsPerMinute,
    response: { status: 200, data: run },
    errors: ["limit_reached"],
    events: ["estimation.tasks_generated"],
    ifMatch: true,
    activity: "tasks.generated",
  },
  updateTask: {
    method: "PUT",
    path: "/api/estimations/:id/tasks/:taskId",
    tool: {},
    alsoPatch: true,
    summary: "Change any of the editable fields of a task",
    description:
      "Longer texts are refused (409 `limit_reached`, `textBytes`) beyond the quota of the estimation's owner.",
    access: "tasks:write",
    right: "edit",
    body: Change(fields, {
      matching: ["id", "optionId", "status"],
      derived: ["parentTaskId", "position", "edited", "externalRef", "droppedAt"],
    }),
    response: { status: 200, data: Shape({ task: Task.ref }) },
    errors: ["limit_reached"],
    ifMatch: true,
    activity: "tasks.edited",
  },
  deleteTask: {
    method: "DELETE",
    path: "/api/estimations/:id/tasks/:taskId",
    summary: "Delete a task; generating again brings it back if its option counts",
    description: "Tasks below it move up to its parent until the next generation restores both.",
    access: "tasks:write",
    right: "edit",
    response: { status: 200, data: Shape({ task: Task.ref }) },
    ifMatch: true,
    activity: "tasks.edited",
  },
});
