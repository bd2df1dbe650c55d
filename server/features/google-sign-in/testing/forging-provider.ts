import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll } from "vitest";
import type { GoogleConfig } from "../../../config.ts";

type Key = Parameters<SignJWT["sign"]>[0];

/** A response of one of its endpoints. */
interface ForgedResponse {
  readonly status?: number;
  readonly body?: unknown;
}

/** A provider that responds with whatever a test tells it to, over real HTTP, with real keys. */
export interface ForgingProvider {
  readonly config: GoogleConfig;
  /** The two keys that it publishes, by `kid`. */
  readonly keys: { readonly rsa: CryptoKey; readonly ec: CryptoKey };
  readonly publicRsaKey: CryptoKey;
  /** By path: the response instead of the right one; a function is given the form that was posted. */
  readonly responses: Map<string, ForgedResponse | ((form: URLSearchParams) => Promise<ForgedResponse>)>;
  /** How often each path was asked for. */
  readonly requests: Map<string, number>;
  /** Claims that are right for `nonce`, for a person of this subject. */
  claims(nonce: string, subject: string): JWTPayload;
  sign(claims: JWTPayload, key?: Key, header?: Record<string, unknown>): Promise<string>;
}

export const DISCOVERY = "/.well-known/openid-configuration";

/** Starts it on loopback; it is stopped after the file's last test. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const rsa = await generateKeyPair("RS256", { extractable: true });
  const ec = await generateKeyPair("ES256", { extractable: true });
  const responses: ForgingProvider["responses"] = new Map();
  const requests = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const told = responses.get(path);
    const form = new URLSearchParams(await text(request));
    const { status = 200, body = await rightResponse(path) } =
      (typeof told === "function" ? await told(form) : told) ?? {};
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const rightResponse = async (path: string): Promise<unknown> => {
    if (path === "/jwks") {
      const keys = [
        { ...(await exportJWK(rsa.publicKey)), kid: "rsa", use: "sig" },
        { ...(await exportJWK(ec.publicKey)), kid: "ec", use: "sig" },
      ];
      return { keys };
    }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      // It claims to use what must never be taken.
      id_token_signing_alg_values_supported: ["none", "HS256", "RS256", "ES256"],
    };
  };

  return {
    config: { clientId: "estimation", clientSecret: "the client's secret", issuer },
    keys: { rsa: rsa.privateKey, ec: ec.privateKey },
    publicRsaKey: rsa.publicKey,
    responses,
    requests,
    claims(nonce, subject) {
      const now = Math.floor(Date.now() / 1_000);
      const email = `${createHash("sha256").update(subject).digest("hex").slice(0, 12)}@example.com`;
      return {
        iss: issuer,
        aud: "estimation",
        sub: subject,
        nonce,
        iat: now,
        exp: now + 300,
        email,
        email_verified: true,
        name: "Forged",
      };
    },
    sign: (claims, key = rsa.privateKey, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "rsa", ...header }).sign(key),
  };
}
