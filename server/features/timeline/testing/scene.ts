import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import type { Task } from "../../../../contract/endpoints/tasks.ts";
import type { Timeline } from "../../../../contract/endpoints/timelines.ts";
import type { NodeInput } from "../../../../contract/values/tree-input.ts";
import type { Response, TestApp, TestUser } from "../../../../tests/harness.ts";

/** An estimation with tasks, and what a test does with its timeline. */
export interface Scene {
  readonly id: string;
  readonly user: TestUser;
  readonly path: string;
  readonly tasks: readonly Task[];
  /** Sends a request below the estimation as its owner. */
  send(method: string, below: string, body?: unknown): Promise<Response>;
  /** The same; throws unless it succeeds. */
  expect(method: string, below: string, body?: unknown): Promise<Response["data"]>;
  setTimeline(body: object): Promise<Timeline>;
  timeline(): Promise<Timeline>;
  milestones(): Promise<Milestone[]>;
  addMilestone(body: object): Promise<Milestone>;
}

/** An option of a role whose task has hours. */
export const option = (title: string, likely: number, role: string) => ({
  title,
  role,
  selected: true,
  hours: { optimistic: likely / 2, likely, pessimistic: likely * 2 },
});

/** Three options of two roles; expected hours 13, 13 and 6.5. */
const nodes: readonly NodeInput[] = [
  {
    title: "Scope",
    kind: "group",
    options: [option("Server", 12, "backend"), option("Pages", 12, "frontend"), option("Search", 6, "backend")],
  },
];

/** Creates an estimation with this tree, of `user` or of a new one, and generates its tasks. */
export async function setScene(app: TestApp, user?: TestUser, tree = nodes): Promise<Scene> {
  const owner = user ?? (await app.signUp());
  const sendTo = async (method: string, path: string, body?: unknown) =>
    app.request(method, path, { token: owner.token, body });
  const expectAt = async (method: string, path: string, body?: unknown) => {
    const response = await sendTo(method, path, body);
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
    return response.data;
  };
  const { estimation } = await expectAt("POST", "/api/estimations", { title: "Shop" });
  const id = String(estimation?.id);
  const path = `/api/estimations/${id}`;
  await expectAt("PUT", `${path}/tree`, { nodes: tree });
  const { tasks } = await expectAt("POST", `${path}/tasks/generate`);
  const call = async <T>(name: string, method: string, below: string, body?: unknown) =>
    (await expectAt(method, path + below, body))[name] as unknown as T;
  return {
    id,
    user: owner,
    path,
    tasks: (tasks as unknown as Task[]).filter(({ hours }) => hours !== null),
    send: (method, below, body) => sendTo(method, path + below, body),
    expect: (method, below, body) => expectAt(method, path + below, body),
    setTimeline: (body) => call("timeline", "PUT", "/timeline", body),
    timeline: () => call("timeline", "GET", "/timeline"),
    milestones: () => call("milestones", "GET", "/milestones"),
    addMilestone: (body) => call("milestone", "POST", "/milestones", body),
  };
}
