import { expect } from "vitest";
import { limits } from "../../../../contract/limits.ts";
import type { ThreePoint } from "../../../../contract/values/tree.ts";
import type { Json, RequestOptions, Response, TestApp, TestUser } from "../../../../tests/harness.ts";
import { roundJobs } from "../index.ts";

/** An estimation, its owner and people who are asked to estimate. */
export interface RoundScene {
  readonly id: string;
  readonly path: string;
  readonly owner: TestUser;
  readonly people: readonly TestUser[];
  readonly optionIds: readonly string[];
}

/** Three points from so few to so many hours. */
export const points = (optimistic: number, likely = optimistic, pessimistic = likely): ThreePoint => ({
  ...{ optimistic, likely, pessimistic },
});

/** What tests of rounds do. */
export function createScene(app: TestApp) {
  type By = Pick<TestUser, "token">;
  const send = ({ token }: By, method: string, path: string, body?: unknown, more: RequestOptions = {}) =>
    app.request(method, path, { token, ...(body === undefined ? {} : { body }), ...more });
  const succeed = async (response: Promise<Response>): Promise<Json> => {
    const { status, text, data } = await response;
    expect(status, text).toBeLessThan(300);
    return data;
  };
  const scene = {
    send,
    succeed,

    /** Makes an estimation with so many options, and so many people without access. */
    async make(people = 3, options = 2): Promise<RoundScene> {
      const owner = await app.signUp();
      const created = await succeed(send(owner, "POST", "/api/estimations", { title: "Checkout" }));
      const id = String(created.estimation?.id);
      const path = `/api/estimations/${id}`;
      const all = Array.from({ length: options }, (_, at) => ({ title: `Option ${at + 1}`, hours: points(2, 4, 9) }));
      const nodes = Array.from({ length: Math.ceil(options / limits.nodeOptions) }, (_, at) => ({
        ...{ title: "Payment", kind: "group" },
        options: all.slice(at * limits.nodeOptions, (at + 1) * limits.nodeOptions),
      }));
      const { tree } = await succeed(send(owner, "PUT", `${path}/tree`, { nodes }));
      const stored = (tree?.nodes ?? []) as unknown as { options: { id: string }[] }[];
      const optionIds = stored.flatMap((node) => node.options.map((option) => option.id));
      const signedUp: TestUser[] = [];
      for (let n = 0; n < people; n++) signedUp.push(await app.signUp());
      return { id, path, owner, optionIds, people: signedUp };
    },

    ask: ({ path, owner, people, optionIds }: RoundScene, body: object = {}, by: By = owner) =>
      send(by, "POST", `${path}/rounds`, { optionIds, participants: people.map(({ userId }) => userId), ...body }),

    /** Opens a round and returns its path. */
    async open(made: RoundScene, body: object = {}): Promise<string> {
      const { round } = await succeed(scene.ask(made, body));
      return `${made.path}/rounds/${round?.id}`;
    },

    estimate: (by: By, round: string, optionId: string | undefined, hours: ThreePoint, note?: string) =>
      send(by, "POST", `${round}/estimates`, { optionId, ...hours, ...(note === undefined ? {} : { note }) }),

    /** Everybody estimates every option; the n-th person says n times these hours. */
    async estimateAll({ people, optionIds }: RoundScene, round: string, hours = points(1, 2, 4)): Promise<void> {
      for (const [at, person] of people.entries()) {
        const { optimistic, likely, pessimistic } = hours;
        const estimates = optionIds.map((optionId) => ({
          optionId,
          ...points((at + 1) * optimistic, (at + 1) * likely, (at + 1) * pessimistic),
        }));
        await succeed(send(person, "POST", `${round}/estimates`, { estimates }));
      }
    },

    reveal: (by: By, round: string) => send(by, "POST", `${round}/reveal`),
    read: async (by: By, round: string) => (await succeed(send(by, "GET", round))).round as Json,
    options: async (by: By, round: string) =>
      (await succeed(send(by, "GET", `${round}/options`))).options as unknown as Json[],

    async share({ path, owner }: RoundScene, user: TestUser, permission: "view" | "edit"): Promise<string> {
      const { share } = await succeed(send(owner, "POST", `${path}/shares`, { email: user.email, permission }));
      await succeed(send(user, "POST", `/api/shares/${share?.id}/accept`));
      return String(share?.id);
    },

    /** The estimates of an option, as they are shown. */
    estimatesOf: (option: Json | undefined) => (option?.result?.estimates ?? []) as unknown as Json[],

    /** Runs a periodic job of rounds. */
    async run(name: "reveal-due-rounds" | "remind-of-rounds"): Promise<void> {
      const { signal } = new AbortController();
      await roundJobs(app.services)
        .find((job) => job.name === name)
        ?.run({}, { signal, lease: { key: "", token: "" } });
    },
  };
  return scene;
}
