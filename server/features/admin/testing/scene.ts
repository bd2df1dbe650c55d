import type { TestApp, TestUser } from "../../../../tests/harness.ts";

/** People of an instance with an administrator. */
export function createScene(app: TestApp) {
  const verify = async ({ userId }: TestUser) => {
    await app.pool.query("update users set email_verified_at = now() where id = $1", [userId]);
  };
  const makeAdministrator = async (user?: TestUser): Promise<TestUser> => {
    const made = user ?? (await app.signUp());
    await app.pool.query("update users set is_administrator = true where id = $1", [made.userId]);
    return made;
  };
  const makeEstimations = async ({ token }: TestUser, count: number) => {
    const made: string[] = [];
    for (let at = 1; at <= count; at += 1) {
      const body = { title: `Secret plan ${at}` };
      const { data } = await app.request("POST", "/api/estimations", { token, body });
      made.push(String(data.estimation?.id));
    }
    return made;
  };
  return {
    verify,
    makeAdministrator,
    makeEstimations,
    async signUpVerified(): Promise<TestUser> {
      const user = await app.signUp();
      await verify(user);
      return user;
    },
    /** Does something to an account. */
    act: (by: TestUser, { userId }: Pick<TestUser, "userId">, what: string, body?: object) =>
      app.request("POST", `/api/admin/users/${userId}/${what}`, { token: by.token, ...(body && { body }) }),
    account: async (by: TestUser, { userId }: TestUser) =>
      (await app.request("GET", `/api/admin/users/${userId}`, { token: by.token })).data.account,
    logIn: ({ email, password }: TestUser) => app.request("POST", "/api/auth/login", { body: { email, password } }),
    statusWith: async (token: string) => (await app.request("GET", "/api/auth/me", { token })).status,
    /** Returns the events of an account, the newest first, as administrators see them. */
    eventsOf: async (by: TestUser, { userId }: TestUser) => {
      const { data } = await app.request("GET", `/api/admin/audit-log?userId=${userId}`, { token: by.token });
      return data.events as unknown as {
        event: string;
        actor: { id: string } | null;
        otherUser: { id: string } | null;
      }[];
    },
    ownersOf: async (ids: readonly string[]) => {
      const { rows } = await app.pool.query("select owner_id from estimations where id = any($1) order by id", [ids]);
      return rows.map(({ owner_id: owner }) => String(owner));
    },
  };
}
