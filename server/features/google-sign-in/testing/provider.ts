import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import type { GoogleConfig } from "../../../config.ts";
import type { Browser, Page } from "./browser.ts";

/** Somebody's account at the provider. */
export interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly picture?: string;
}

/** An OpenID provider built on the `oidc-provider` package, on loopback, with its own keys and pages. */
export interface RealProvider {
  readonly config: GoogleConfig;
  /** By subject. */
  readonly accounts: Map<string, Account>;
  /**
   * Goes with a browser from the provider's first page, as `subject`, to where the provider sends it back; `decline`
   * stops at the first page.
   */
  response(browser: Browser, authorization: URL, subject: string, decline?: "decline"): Promise<URL>;
}

export interface ProviderOptions {
  readonly redirectUri: string;
  /** Whether the ID token contains the e-mail address too, which otherwise only the UserInfo endpoint gives. */
  readonly claimsInIdToken?: boolean;
  readonly clientAuthentication?: "client_secret_post" | "client_secret_basic";
  readonly signature?: "RS256" | "ES256";
}

/** A provider until it is closed. */
export interface OpenProvider extends RealProvider {
  close(): void;
}

/** Starts a provider with one client. */
export async function openProvider({
  redirectUri,
  claimsInIdToken = false,
  clientAuthentication = "client_secret_post",
  signature = "RS256",
}: ProviderOptions): Promise<OpenProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, Account>();
  const config = { clientId: "estimation service", clientSecret: "s3cret/+ :%", issuer };
  const { privateKey } = await generateKeyPair(signature, { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: config.clientId,
        client_secret: config.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: clientAuthentication,
        id_token_signed_response_alg: signature,
      },
    ],
    clientAuthMethods: [clientAuthentication],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    conformIdTokenClaims: !claimsInIdToken,
    cookies: { keys: ["a key of this provider"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => ({ sub, ...account }) };
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "one", use: "sig", alg: signature }] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  const handle = provider.callback();
  server.on("request", (request, response) =>
    request.url?.startsWith("/interaction/") ? interact(provider, request, response) : handle(request, response),
  );
  return {
    config,
    accounts,
    close() {
      server.closeAllConnections();
      server.close();
    },
    async response(browser, authorization, subject, decline) {
      let page: Page = await browser.visit(authorization);
      for (let steps = 0; steps < 20; steps += 1) {
        if (page.location?.href.startsWith(redirectUri)) return page.location;
        if (page.location) page = await browser.visit(page.location);
        else if (page.status === 200) page = await browser.visit(page.url, decline ? { decline } : { subject });
        else throw new Error(`the provider returned ${page.status}: ${page.text}`);
      }
      throw new Error("the provider never came to an end");
    },
  };
}

/** The provider's pages: the first asks who signs in, the second for consent. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (request.method === "GET") {
    response.end(`<form method="post">${prompt.name}</form>`);
    return;
  }
  const form = new URLSearchParams(await text(request));
  const finish = (result: Parameters<Provider["interactionFinished"]>[2]) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: prompt.name === "consent" });
  if (form.has("decline")) return finish({ error: "access_denied" });
  if (prompt.name === "login") return finish({ login: { accountId: form.get("subject") ?? "" } });
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  await finish({ consent: { grantId: await grant.save() } });
}
