import { expect } from "vitest";
import type { SharePermission } from "../../../../contract/values/share-permissions.ts";
import type { Response, TestApp, TestUser } from "../../../../tests/harness.ts";

/** An event as it was recorded, with its body, and the users whose webhooks receive it, in order of their ids. */
export interface Told {
  readonly name: string;
  readonly data: Record<string, string>;
  readonly receivers: readonly string[];
}

/** What tests of shares do. */
export function createScene(app: TestApp) {
  const sharesOf = (estimation: string) => `/api/estimations/${estimation}/shares`;
  const invite = (owner: TestUser, estimation: string, email: string, permission: string = "view") =>
    app.request("POST", sharesOf(estimation), { token: owner.token, body: { email, permission } });
  const accept = ({ token }: TestUser, share: string) => app.request("POST", `/api/shares/${share}/accept`, { token });
  return {
    invite,
    accept,
    remove: ({ token }: TestUser, share: string) => app.request("DELETE", `/api/shares/${share}`, { token }),
    resend: ({ token }: TestUser, estimation: string, share: string) =>
      app.request("POST", `${sharesOf(estimation)}/${share}/resend`, { token }),
    transfer: ({ token }: TestUser, estimation: string, userId: unknown) =>
      app.request("POST", `/api/estimations/${estimation}/transfer`, { token, body: { userId } }),
    read: ({ token }: Pick<TestUser, "token">, estimation: string) =>
      app.request("GET", `/api/estimations/${estimation}`, { token }),

    async createEstimation({ token }: TestUser, title = "Checkout"): Promise<string> {
      const { data } = await app.request("POST", "/api/estimations", { token, body: { title } });
      return String(data.estimation?.id);
    },

    /** Shares an estimation with a user, who accepts. Returns the share's id. */
    async share(owner: TestUser, estimation: string, user: TestUser, permission: SharePermission): Promise<string> {
      const id = String((await invite(owner, estimation, user.email, permission)).data.share?.id);
      expect((await accept(user, id)).status).toBe(200);
      return id;
    },

    async listShares({ token }: TestUser, estimation: string): Promise<Response["data"]> {
      return (await app.request("GET", sharesOf(estimation), { token })).data;
    },

    /** Registers a webhook for every event about shares, with the envelope. */
    async listen({ token }: TestUser): Promise<void> {
      const body = {
        url: "https://hooks.example.com",
        events: ["share.invited", "share.accepted"],
        bodyFormat: "envelope",
      };
      expect((await app.request("POST", "/api/webhooks", { token, body })).status).toBe(201);
    },

    /** The events about an estimation in the order of their recording. */
    async toldOf(estimation: string): Promise<Told[]> {
      const { rows } = await app.pool.query<Told>(
        `select e.name, min(d.body)::json -> 'data' as data, array_agg(w.user_id order by w.user_id) as receivers
         from webhook_events e join webhook_deliveries d on d.event_id = e.id join webhooks w on w.id = d.webhook_id
         where e.data::json ->> 'estimationId' = $1 and e.name like 'share.%' group by e.id order by e.id`,
        [estimation],
      );
      return rows;
    },

    signIn: ({ email, password }: TestUser) => app.request("POST", "/api/auth/login", { body: { email, password } }),

    /** Marks the address of a user as verified. */
    verify: ({ userId }: TestUser) =>
      app.pool.query("update users set email_verified_at = now() where id = $1", [userId]),
  };
}
