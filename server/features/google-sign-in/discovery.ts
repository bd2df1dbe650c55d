import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from "openid-client";
import type { GoogleConfig } from "../../config.ts";
import type { Services } from "../../services/index.ts";
import { faultOf } from "./fault.ts";
import { refuse } from "./refusal.ts";

/** The provider's metadata is requested again after this time. */
const FRESH_MS = 3_600_000;
/** If that fails, the old metadata stays in use, and the next request waits for this time. */
const RETRY_MS = 60_000;
/** Limit for every request to the provider. */
const TIMEOUT_SECONDS = 5;
/** Signatures that only the provider can make. A MAC with the client's secret, or no signature, is not among them. */
const SIGNATURES = [
  "RS256",
  "PS256",
  "ES256",
  "RS384",
  "PS384",
  "ES384",
  "RS512",
  "PS512",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/**
 * Returns the provider's endpoints, keys and capabilities. Refuses with `provider_unavailable` if they cannot be read.
 */
export type Discover = () => Promise<Configuration>;

/** Asks the provider once for all who wait, and keeps the response. */
export function createDiscovery(
  google: GoogleConfig,
  { clock, log }: Pick<Services, "clock" | "log">,
  timeoutSeconds = TIMEOUT_SECONDS,
): Discover {
  let known: Configuration | undefined;
  let askAgainAtMs = 0;
  let asking: Promise<Configuration> | undefined;

  const ask = async (): Promise<Configuration> => {
    let pauseMs = FRESH_MS;
    try {
      known = await configure(google, timeoutSeconds);
    } catch (error) {
      log.warn({ issuer: google.issuer, fault: faultOf(error) }, "the OpenID provider's description cannot be had");
      if (!known) refuse("provider_unavailable", { cause: error });
      pauseMs = RETRY_MS;
    }
    askAgainAtMs = clock.now().getTime() + pauseMs;
    return known;
  };

  return async () => {
    if (known && clock.now().getTime() < askAgainAtMs) return known;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

async function configure(
  { issuer, clientId, clientSecret }: GoogleConfig,
  timeoutSeconds: number,
): Promise<Configuration> {
  const address = new URL(issuer);
  const insecure = address.protocol === "http:" ? [allowInsecureRequests] : [];
  const discovered = await discovery(address, clientId, clientSecret, undefined, {
    execute: insecure,
    timeout: timeoutSeconds,
  });
  const server: ServerMetadata = discovered.serverMetadata();
  refuseWithoutEndpoints(server, insecure.length > 0);
  const offered = server.id_token_signing_alg_values_supported ?? ["RS256"];
  const byPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post");
  const configuration = new Configuration(
    { ...server, id_token_signing_alg_values_supported: offered.filter((name) => SIGNATURES.includes(name)) },
    clientId,
    {},
    byPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret),
  );
  configuration.timeout = timeoutSeconds;
  for (const apply of insecure) apply(configuration);
  // Without it, the signature of an ID token received directly from the provider would not be checked.
  enableNonRepudiationChecks(configuration);
  return configuration;
}

/**
 * The library checks an endpoint only when it is needed, which is too late, and never the one that browsers are sent
 * to.
 */
function refuseWithoutEndpoints(server: ServerMetadata, insecure: boolean): void {
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    const { protocol } = URL.parse(server[name] ?? "") ?? {};
    const usable = protocol === "https:" || (insecure && protocol === "http:");
    if (!usable) throw new Error(`the provider names no usable ${name}`);
  }
}
