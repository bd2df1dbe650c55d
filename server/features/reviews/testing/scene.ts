import { expect } from "vitest";
import type { Json, Response, TestApp, TestUser } from "../../../../tests/harness.ts";

/** An event as it was recorded, and the users whose webhooks receive it, in order of their ids. */
export interface Told {
  readonly name: string;
  readonly data: Record<string, string>;
  readonly receivers: readonly string[];
}

const nodes = [
  {
    title: "Payment",
    kind: "single",
    options: [
      { title: "Card", hours: { optimistic: 4, likely: 8, pessimistic: 20 }, selected: true },
      { title: "Invoice", hours: 6 },
    ],
  },
];

/** What tests of reviews do. */
export function createScene(app: TestApp) {
  const pathOf = (estimation: string) => `/api/estimations/${estimation}`;
  const send = ({ token }: Pick<TestUser, "token">, method: string, path: string, body?: unknown): Promise<Response> =>
    app.request(method, path, { token, ...(body === undefined ? {} : { body }) });
  const succeed = async (response: Promise<Response>): Promise<Json> => {
    const { status, text, data } = await response;
    expect(status, text).toBeLessThan(300);
    return data;
  };
  const scene = {
    send,
    succeed,
    pathOf,
    reviewPath: (estimation: string, review: string) => `${pathOf(estimation)}/reviews/${review}`,

    /** Creates an estimation with a tree of one node with two options. */
    async createEstimation(owner: TestUser, title = "Checkout"): Promise<string> {
      const id = String((await succeed(send(owner, "POST", "/api/estimations", { title }))).estimation?.id);
      await succeed(send(owner, "PUT", `${pathOf(id)}/tree`, { nodes }));
      return id;
    },

    request: (owner: TestUser, estimation: string, body: object) =>
      send(owner, "POST", `${pathOf(estimation)}/reviews`, body),

    /** Asks for a review and returns its id. */
    async ask(owner: TestUser, estimation: string, reviewer: TestUser, more: object = {}): Promise<string> {
      const body = { reviewerId: reviewer.userId, ...more };
      return String((await succeed(scene.request(owner, estimation, body))).review?.id);
    },

    approve: (by: TestUser, estimation: string, review: string, body?: object) =>
      send(by, "POST", `${scene.reviewPath(estimation, review)}/approve`, body),
    requestChanges: (by: TestUser, estimation: string, review: string, body?: object) =>
      send(by, "POST", `${scene.reviewPath(estimation, review)}/request-changes`, body),
    withdraw: (by: TestUser, estimation: string, review: string) =>
      send(by, "POST", `${scene.reviewPath(estimation, review)}/withdraw`),
    decline: (by: TestUser, estimation: string, review: string) =>
      send(by, "POST", `${scene.reviewPath(estimation, review)}/decline`),
    comment: (by: TestUser, estimation: string, review: string, body: object) =>
      send(by, "POST", `${scene.reviewPath(estimation, review)}/comments`, body),

    async read(by: TestUser, estimation: string): Promise<Json> {
      return (await succeed(send(by, "GET", pathOf(estimation)))).estimation as Json;
    },

    async readReview(by: TestUser, estimation: string, review: string): Promise<Json> {
      return (await succeed(send(by, "GET", scene.reviewPath(estimation, review)))).review as Json;
    },

    /** Shares an estimation with a user, who accepts. */
    async share(owner: TestUser, estimation: string, user: TestUser, permission: "view" | "edit"): Promise<void> {
      const body = { email: user.email, permission };
      const { share } = await succeed(send(owner, "POST", `${pathOf(estimation)}/shares`, body));
      await succeed(send(user, "POST", `/api/shares/${share?.id}/accept`));
    },

    /** Registers a webhook for every event of reviews. */
    async listen(user: TestUser): Promise<void> {
      const events = ["estimation.submitted", "estimation.approved", "estimation.changes_requested"];
      await succeed(send(user, "POST", "/api/webhooks", { url: "https://hooks.example.com", events }));
    },

    /** The events of reviews of an estimation in the order of their recording. */
    async toldOf(estimation: string): Promise<Told[]> {
      const { rows } = await app.pool.query<Told>(
        `select e.name, e.data::json as data, array_agg(w.user_id order by w.user_id) as receivers
         from webhook_events e join webhook_deliveries d on d.event_id = e.id join webhooks w on w.id = d.webhook_id
         where e.data::json ->> 'estimationId' = $1 group by e.id order by e.id`,
        [estimation],
      );
      return rows;
    },
  };
  return scene;
}
