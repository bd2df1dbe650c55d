import type { Provocation, Provoking } from "./provoking.ts";

export const apiKeyErrors = ({ app, path, asOwner }: Provoking) => {
  const newKey = async () => (await asOwner("POST", "/api/api-keys", { body: { name: "k", scopes: [] } })).data;

  /** A revoked key's path. */
  async function revokedKey(): Promise<string> {
    const key = `/api/api-keys/${(await newKey()).apiKey?.id}`;
    await asOwner("DELETE", key);
    return key;
  }

  const apiKeyRevoked = async () => asOwner("POST", `${await revokedKey()}/rotate`);

  return {
    api_key_invalid: () => app.request("GET", path, { token: "svc_live_none" }),
    api_key_insufficient_scope: async () => app.request("GET", path, { token: String((await newKey()).plaintext) }),
    session_token_required: async () =>
      app.request("GET", "/api/api-keys", { token: String((await newKey()).plaintext) }),
    api_key_revoked: apiKeyRevoked,
    "createApiKey limit_reached": async () => {
      const user = await app.signUp();
      await app.makeKey(user, []);
      await app.pool.query(
        `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('id', 'key_' || lpad(n::text, 26, '0'),
         'hash', '\\x' || encode(sha256(($1 || n)::bytea), 'hex')))).* from api_keys k, generate_series(2, $2::int) n where k.user_id = $1`,
        [user.userId, app.services.config.quotas.apiKeys],
      );
      return app.request("POST", "/api/api-keys", { token: user.token, body: { name: "k", scopes: [] } });
    },
    "updateApiKey api_key_revoked": async () => asOwner("PATCH", await revokedKey(), { body: { name: "x" } }),
    "rotateApiKey api_key_revoked": apiKeyRevoked,
  } satisfies Record<string, Provocation>;
};
