import type { admin } from "../../../contract/endpoints/admin.ts";
import type { TestUser } from "../../harness.ts";
import type { Making, Samples } from "./noun.ts";

export interface AdminRecords {
  /** Runs the instance. */
  readonly administrator: TestUser;
  /** An account, and another one that may get its estimations. */
  readonly account: TestUser;
  readonly heir: TestUser;
}

/** Makes a user an administrator, as the command line does. */
export async function makeAdministrator({ app }: Pick<Making, "app">): Promise<TestUser> {
  const user = await app.signUp();
  await app.pool.query("update users set is_administrator = true where id = $1", [user.userId]);
  return user;
}

export async function makeAccounts(making: Making): Promise<AdminRecords> {
  const { app } = making;
  const [account, heir] = [await app.signUp(), await app.signUp()];
  await app.pool.query("update users set email_verified_at = $2 where id = $1", [heir.userId, app.clock.now()]);
  await app.request("POST", "/api/estimations", { token: account.token, body: { title: "Handed over" } });
  await app.makeKey(account, ["tasks:read"]);
  const body = { url: "https://hooks.example.com/planning", events: ["estimation.submitted"] };
  await app.request("POST", "/api/webhooks", { token: account.token, body });
  return { administrator: await makeAdministrator(making), account, heir };
}

export const adminSamples: Samples<typeof admin> = {
  listAccounts: () => ({ query: { q: "example.com" } }),
  getAccount: ({ account }) => ({ params: { id: account.userId } }),
  disableAccount: ({ account }) => ({ params: { id: account.userId } }),
  enableAccount: ({ account }) => ({ params: { id: account.userId } }),
  endAccountSessions: ({ account }) => ({ params: { id: account.userId } }),
  sendResetLink: ({ account }) => ({ params: { id: account.userId } }),
  handOverEstimations: ({ account, heir }) => ({ params: { id: account.userId }, body: { toUserId: heir.userId } }),
  eraseAccount: ({ account, heir }) => ({
    params: { id: account.userId },
    body: { email: account.email, toUserId: heir.userId },
  }),
  listInstanceEvents: () => ({ query: { event: ["user.registered"] } }),
  getInstanceStatus: () => ({}),
};
