import { readFile } from "node:fs/promises";
import type { Static } from "typebox";
import type { createEstimationBody } from "../contract/endpoints/estimations.ts";
import type { examples } from "../contract/endpoints/examples.ts";
import type { Contract } from "../contract/index.ts";
import type { Right } from "../contract/rights.ts";
import type { NodeInput } from "../contract/values/tree-input.ts";
import { countsAsVerified, exampleReviewer, findUser, requireCaller } from "./features/auth/index.ts";
import {
  estimationLookUp,
  markExample,
  presentEstimation,
  type ReadableEstimation,
} from "./features/estimations/index.ts";
import { fail } from "./http/failure.ts";
import type { Call, Handlers } from "./http/handler.ts";
import type { Services } from "./services/index.ts";

/** What the examples are made with: the same handlers that users call. */
type Used = Pick<
  Handlers<Contract, ReadableEstimation>,
  | "createEstimation"
  | "replaceTree"
  | "createVersion"
  | "updateOption"
  | "submitEstimation"
  | "generateTasks"
  | "updateTask"
  | "updateTimeline"
  | "createMilestone"
  | "requestReview"
  | "approveReview"
>;

/** A call of somebody, of which only the caller and the moment matter. */
type Caller = Pick<Call<typeof examples.createExamples>, "actor" | "db" | "now" | "requestId" | "ip" | "userAgent">;

interface Example {
  readonly estimation: Static<typeof createEstimationBody>;
  readonly tree: { readonly nodes: NodeInput[] };
}

const FOLDER = new URL("../examples/", import.meta.url);
const DAY_MS = 86_400_000;
/** Options whose hours differ between the two versions. */
const CHANGED = 3;
/** Days that the work on the first example has taken so far. */
const DAYS_WORKED = 28;
/** Of each five tasks this many are done; hours that they took, in parts of those estimated. */
const [OF_EACH, DONE, TOOK] = [5, 2, [0.8, 1.3, 1, 1.15, 0.9]] as const;

/** Adds examples for a caller, as the caller could do it call by call, in one transaction. */
export function exampleRoutes(services: Services, handlers: Used): Handlers<typeof examples, ReadableEstimation> {
  return {
    async createExamples(call) {
      const estimations: ReadableEstimation[] = [];
      // The last one is the first in the list.
      for (const [file, finish] of [
        ["data-migration", withTwoVersions],
        ["mobile-app", withReview],
        ["checkout", withTasks],
      ] as const) {
        const { id, tree } = await begin(handlers, call, await readExample(file));
        await finish(services, handlers, call, id, tree);
        estimations.unshift(await read(call, id));
      }
      return { data: { estimations: estimations.map(presentEstimation) } };
    },
  };
}

const readExample = async (name: string): Promise<Example> =>
  JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), "utf8"));

const read = async ({ db, actor }: Caller, id: string): Promise<ReadableEstimation> =>
  (await estimationLookUp.find(db, id, actor.userId, "read")) ?? fail("not_found");

/** Returns what a handler receives: the caller, and the estimation as it is now, locked. */
async function on<B, P extends object>(
  { actor, db, now, requestId, ip, userAgent }: Caller,
  id: string,
  { right = "edit", body, params }: { readonly right?: Exclude<Right, "read">; readonly body: B; readonly params?: P },
) {
  const estimation = (await estimationLookUp.lock(db, id, actor.userId, right)) ?? fail("not_found");
  const given = { ...({} as P), ...params };
  return { actor, db, now, requestId, ip, userAgent, estimation, query: {}, body, params: { id, ...given } };
}

type Tree = Awaited<ReturnType<Used["replaceTree"]>>["data"]["tree"];

interface Begun {
  readonly id: string;
  readonly tree: Tree;
}

async function begin(handlers: Used, call: Caller, { estimation, tree }: Example): Promise<Begun> {
  const { actor, db, now, requestId, ip, userAgent } = call;
  const made = await handlers.createEstimation({
    ...{ actor, db, now, requestId, ip, userAgent },
    ...{ params: {}, query: {}, body: estimation },
  });
  const { id } = made.data.estimation;
  await markExample(db, id);
  const { data } = await handlers.replaceTree(await on(call, id, { body: tree }));
  return { id, tree: data.tree };
}

type Finish = (services: Services, handlers: Used, call: Caller, id: string, tree: Tree) => Promise<void>;

/** Some hours have changed since the first version. */
const withTwoVersions: Finish = async (_, handlers, call, id, { nodes }) => {
  await handlers.createVersion(await on(call, id, { body: { label: "First offer" } }));
  for (const option of nodes[0]?.options.slice(0, CHANGED) ?? []) {
    const { optimistic, pessimistic } = option.hours ?? { optimistic: 8, pessimistic: 24 };
    const body = { hours: { optimistic, likely: pessimistic, pessimistic: 2 * pessimistic } };
    await handlers.updateOption(await on(call, id, { body, params: { optionId: option.id } }));
  }
  await handlers.createVersion(await on(call, id, { body: { label: "After the first interviews" } }));
};

/** Somebody has approved it. */
const withReview: Finish = async (services, handlers, call, id) => {
  const { db, now, actor } = call;
  const user = requireCaller(await findUser(db, actor.userId));
  if (!countsAsVerified(user, services.config)) return;
  const reviewerId = await exampleReviewer(db, services, now);
  const note = "Is the offline part complete?";
  const { data } = await handlers.requestReview(await on(call, id, { right: "own", body: { reviewerId, note } }));
  const reviewer = { ...call, actor: { ...actor, userId: reviewerId } };
  const body = {
    comment: "Yes. The widest ranges are where they belong; I would ask again before the second release.",
  };
  await handlers.approveReview(await on(reviewer, id, { right: "decide", body, params: { reviewId: data.review.id } }));
};

/** Work is under way: some tasks are done, and the rest is scheduled. */
const withTasks: Finish = async (_, handlers, call, id) => {
  const dayAt = (days: number) => new Date(call.now.getTime() + days * DAY_MS);
  const dateAt = (days: number) => dayAt(days).toISOString().slice(0, 10);
  await handlers.submitEstimation(await on(call, id, { right: "own", body: undefined }));
  const { data } = await handlers.generateTasks(await on(call, id, { body: undefined }));
  const tasks = data.tasks.filter(({ hours }) => hours !== null && hours > 0);
  const done = tasks.filter((_task, at) => at % OF_EACH < DONE);
  for (const [at, { id: taskId, hours }] of done.entries()) {
    const actualHours = Math.round((hours ?? 0) * (TOOK[at % TOOK.length] ?? 1) * 4) / 4;
    const doneAt = dayAt(((at + 1) / done.length - 1) * DAYS_WORKED).toISOString();
    await handlers.updateTask(await on(call, id, { body: { actualHours, doneAt }, params: { taskId } }));
  }
  const people = [...new Set(tasks.flatMap(({ role }) => (role === null ? [] : [role])))].map((role) => ({
    role,
    count: 1,
  }));
  const [first, second] = tasks;
  const dependencies =
    first === undefined || second === undefined
      ? []
      : [{ from: first.id, to: second.id, type: "finish_to_start" as const, lagHours: 0 }];
  await handlers.updateTimeline(
    await on(call, id, { body: { startDate: dateAt(-DAYS_WORKED), people, dependencies } }),
  );
  const half = tasks.slice(0, Math.ceil(tasks.length / 2)).map((task) => task.id);
  for (const [title, days, taskIds] of [
    ["First orders in the test shop", 30, half],
    ["Launch", 75, tasks.map((task) => task.id)],
  ] as const)
    await handlers.createMilestone(
      await on(call, id, { body: { title, dueDate: dateAt(days), taskIds: [...taskIds] } }),
    );
};
