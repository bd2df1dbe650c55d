import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { type Scope, scopeNames } from "../scopes.ts";
import { Change, component, Id, NextCursor, Nullable, OneOf, paging, Shape, Timestamp, Title } from "../shapes.ts";

const fields = {
  name: Title(limits.apiKeyNameLength),
  scopes: Type.Array(OneOf<Scope>(scopeNames), {
    maxItems: scopeNames.length,
    uniqueItems: true,
    description: "What the key may call; with an empty list, only what needs no scope",
  }),
};

/** An API key without its plaintext, of which only a hash is stored. */
export const ApiKey = component(
  "ApiKey",
  Shape({
    id: Id("apiKey", "Stays the same when the key is rotated"),
    name: fields.name,
    prefix: Type.String({ description: "The first 12 characters of the plaintext, to tell keys apart by" }),
    scopes: fields.scopes,
    expiresAt: Nullable(Timestamp),
    revokedAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    rotatedAt: Nullable(Timestamp),
  }),
);
export type ApiKey = Static<typeof ApiKey.schema>;

const one = Shape({ apiKey: ApiKey.ref });
const handedOut = Shape({
  apiKey: ApiKey.ref,
  plaintext: Type.String({ description: "The key itself; only this response shows it" }),
});

export const apiKeys = endpoints({
  createApiKey: {
    method: "POST",
    path: "/api/api-keys",
    summary: "Create an API key; only this response shows its plaintext",
    access: "session",
    body: Shape({
      ...fields,
      expiresAt: Type.Optional(
        Nullable(
          Type.String({
            format: "date-time",
            description: "RFC 3339 with any offset; the key is refused from then on. null: it never expires",
          }),
        ),
      ),
    }),
    response: { status: 201, created: "/api/api-keys/:id", data: handedOut },
    errors: ["limit_reached"],
    secrets: ["plaintext"],
  },
  listApiKeys: {
    method: "GET",
    path: "/api/api-keys",
    summary: "List your API keys, newest first, including revoked ones",
    access: "session",
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ apiKeys: Type.Array(ApiKey.ref), nextCursor: NextCursor }) },
  },
  getApiKey: {
    method: "GET",
    path: "/api/api-keys/:id",
    summary: "Read an API key's metadata",
    access: "session",
    response: { status: 200, data: one },
  },
  updateApiKey: {
    method: "PATCH",
    path: "/api/api-keys/:id",
    summary: "Rename an API key or change its scopes, effective from the next request",
    access: "session",
    body: Change(fields, {
      matching: ["id", "expiresAt", "revokedAt"],
      derived: ["prefix", "lastUsedAt", "createdAt", "rotatedAt"],
    }),
    response: { status: 200, data: one },
    errors: ["api_key_revoked"],
  },
  rotateApiKey: {
    method: "POST",
    path: "/api/api-keys/:id/rotate",
    summary: "Replace the plaintext of an API key; the old one is refused at once",
    access: "session",
    response: { status: 200, data: handedOut },
    errors: ["api_key_revoked"],
    secrets: ["plaintext"],
  },
  revokeApiKey: {
    method: "DELETE",
    path: "/api/api-keys/:id",
    summary: "Revoke an API key permanently; doing it again changes nothing",
    access: "session",
    response: { status: 200, data: one },
  },
});
