import { randomBytes } from "node:crypto";
import type { Plan } from "./estimate.ts";
import type { Stage } from "./stage.ts";

export interface Account {
  readonly token: string;
  readonly key: string;
  readonly keyId: string;
}

/** Makes an account and an API key, and continues with the key. */
export async function signUp(
  { client, step, use }: Stage,
  email: string,
  signedIn: (token: string) => void,
): Promise<Account> {
  const password = randomBytes(12).toString("base64url");
  const { token } = await step({
    title: "Make an account",
    says: "The response signs you in: `data.token` is a session token, valid for an hour, with every scope.",
    call: () => client.registerUser({ body: { email, password, name: "Noor Haddad" } }),
    status: 201,
    shows: ["user.email", "token", "expiresAt"],
    remember: { TOKEN: { read: ({ token }) => token, command: "value token" } },
  });
  signedIn(token);
  use(token);
  const { apiKey, plaintext } = await step({
    title: "Make an API key",
    says: "For programs. It can do only what its scopes allow. It is shown only now: the service keeps only a hash of it.",
    call: () =>
      client.createApiKey({
        body: {
          name: "Tour",
          scopes: ["estimations:read", "estimations:write", "tasks:read", "tasks:write", "webhooks:manage"],
        },
      }),
    status: 201,
    shows: ["apiKey.id", "apiKey.scopes", "plaintext"],
    remember: {
      KEY: { read: ({ plaintext }) => plaintext, command: "value plaintext" },
      KEY_ID: { read: ({ apiKey }) => apiKey.id, command: "value apiKey.id" },
    },
    undo: ({ apiKey }) => client.revokeApiKey({ params: { id: apiKey.id } }),
  });
  use(plaintext);
  return { token, key: plaintext, keyId: apiKey.id };
}

/** Revokes the key, and shows that it no longer works. */
export async function revokeKey(
  { client, step, refusal, use }: Stage,
  { token, key, keyId }: Account,
  { estimationId }: Plan,
): Promise<void> {
  use(token);
  await step({
    title: "Revoke the key",
    says: "Permanently, and at once. Keys are managed with a session token; a key cannot make or revoke keys.",
    call: () => client.revokeApiKey({ params: { id: keyId } }),
    status: 200,
    shows: ["apiKey.name", "apiKey.revokedAt"],
  });
  use(key);
  await refusal({
    title: "Use it all the same",
    says: "Every error has this form. Programs match on `message`.",
    call: () => client.getEstimation({ params: { id: estimationId } }),
    status: 401,
    message: "api_key_invalid",
  });
}
