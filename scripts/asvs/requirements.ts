/** Requirements of OWASP ASVS 5.0.0, for the page `docs/reference/asvs.md`. */

/** How each requirement that tests carry the number of is met, and where only in part. */
export const howMet: Readonly<Record<string, string>> = {
  "V2.4.1":
    "Counted per user and per address (`server/http/callers/rate-limit.ts`), over all processes, before the first query and before the body is read; see [what a request costs](../security.md#what-a-request-costs)",
  "V3.3.1": "`__Host-`, `Secure`, `HttpOnly`, `SameSite=Lax`, sealed with AES-256-GCM; covers V3.3.2 to V3.3.5 as well",
  "V3.4.2": "There are no CORS headers: the web application has the same origin",
  "V3.5.2": "Cookies are not credentials, and a body without `application/json` is refused",
  "V4.1.3": "The connection's address, unless `TRUST_PROXY` names the proxy; covers V15.3.4 as well",
  "V4.1.4": "Routes are generated from `contract/`; nothing overrides the method",
  "V4.2.1": "Node's strict parser; the connection is closed",
  "V6.2.1": "`passwordLengthMin`, in composed code points, in all three endpoints that set a password",
  "V6.2.2": "`POST /api/auth/change-password`",
  "V6.2.3": "The current password is required, and failures count as failed sign-ins",
  "V6.2.4": "The 10,000 most common of eight characters or more, in any case",
  "V6.2.5": "No composition rules",
  "V6.2.8":
    "Argon2id hashes the whole text, in Unicode normalization form C, so that a password typed on another system is the same (RFC 8265)",
  "V6.2.9": "Up to 128 characters; longer ones are refused, not cut",
  "V6.2.10": "The age of a password is not stored",
  "V6.2.11": "The words that [identity](../identity.md#passwords) lists",
  "V6.3.1":
    "[Counts in the database](../decisions/sign-in-throttling.md), per account, per address and per pair, with waits that grow to at most an hour",
  "V6.3.2": "The first start creates no account",
  "V6.3.4":
    "Password, registration and Google, described in [identity](../identity.md); the same throttle applies to all passwords",
  "V6.3.5": "A mail tells of a sign-in from a new address. Partly: failed sign-ins are only in the audit log",
  "V6.3.6": "Mailed links set a password or confirm an address; neither returns a token",
  "V6.3.7":
    "A mail after each, and after a Google identity is linked; those about a reset and about Google say how many keys and webhooks stay valid. Partly: a new key is only in the audit log",
  "V6.3.8":
    "Same response, statements and hash for any address; the mail is sent at a random moment of the next three seconds, so that it does not visibly delay the next request either. The statistical comparison of times is `bench/enumeration.ts`. Partly: registering says `email_taken`, as the interface is specified (`REGISTRATION=closed` ends that), and see [what remains](../security.md#what-remains)",
  "V6.4.5": "A mail `keyExpiryNoticeDays` before a key expires, and none for passwords, which do not",
  "V6.4.1":
    "256 bits of the system's random generator, 30 minutes, once. Partly: the user may keep the password that `user add` generates",
  "V6.4.3":
    "[The newest link only, once](../decisions/mailed-links.md); built from `WEB_URL`; invalid after the password is changed",
  "V6.4.6": "Administrators send a link to the owner's address; they neither choose nor see a password",
  "V6.5.1": "Removed in the transaction of the change that it allows",
  "V6.5.2": "SHA-256 of 256 random bits",
  "V6.6.2": "The token's row contains user and purpose",
  "V6.6.3":
    "256 bits; requested mails are throttled like failed passwords, and registering beyond the limit sends none",
  "V6.8.1": "An identity consists of issuer and subject",
  "V6.8.2": "Asymmetric signatures by the provider's published keys only",
  "V7.1.1":
    "An hour without a renewal, and `sessionDays` in any case; the sign-in is asked for again before acts of administrators",
  "V7.1.2": "`sessions` of a user; with one more, the oldest ends",
  "V7.2.1": "Only the `Authorization` header is read; every request looks the session up in the database",
  "V7.2.2": "Session tokens are created for each sign-in; endpoints that manage credentials accept no key",
  "V7.2.4":
    "A token is always created by the service. A sign-in does not end the sessions of other devices; a changed password does",
  "V7.3.1": "A token is valid for one hour, even if it is used",
  "V7.3.2": "One hour for each token, and `sessionDays` for the session, counted from the sign-in through all renewals",
  "V7.4.1": "`tokenVersion`, compared on every request, is raised",
  "V7.4.2": "Every request looks up session or key with its user",
  "V7.4.3": "Changing and resetting raise `tokenVersion`; keys are left alone as specified",
  "V7.4.5": "Administrators end all sessions of a user, in every process at once",
  "V7.5.1": "The address cannot be changed; the password only with the current one",
  "V7.5.2": "Sessions are listed, and ended one by one or all at once. Partly: without asking for the password",
  "V7.6.2": "The code of a sign-in has to be exchanged by the web application",
  "V8.2.1": "One check before every handler (`server/http/steps/identify-caller.ts`), from the endpoint's `access`",
  "V8.2.2": "Every statement has the user among its conditions, so it finds no records of others",
  "V8.2.3": "Responses are built field by field and serialised by the declared schema",
  "V8.3.1": "Identity comes from the verified credential only",
  "V8.3.2": "Nothing about a key or a session is cached",
  "V8.4.1": "Idempotency records, counters and lists belong to a user",
  "V9.1.1": "HMAC-SHA256 over the whole token, checked before anything in it is used (`server/platform/tokens.ts`)",
  "V9.1.2": "HS256 is the only algorithm accepted for session tokens; for ID tokens only asymmetric ones are",
  "V9.1.3": "There is one key, from the configuration; headers cannot name another",
  "V9.2.1": "`exp` and `iat` are required, `nbf` is respected, and no token is valid for more than an hour",
  "V9.2.2": "Type, audience and claims must match exactly; every other kind of secret has its own table",
  "V9.2.3": "`aud` must match exactly; covers V10.3.1 as well",
  "V9.2.4":
    "Issuer and audience must match exactly, and differ from each other; keys for other uses are derived from the secret",
  "V10.1.1": "The provider's tokens are discarded once read; the browser's address contains a one-time code",
  "V10.1.2": "State, nonce and verifier are in an encrypted cookie of the browser that began, and a state works once",
  "V10.2.1": "Both state and PKCE S256",
  "V10.2.2": "One provider, and `iss` of its response is compared (RFC 9207)",
  "V10.2.3": "`openid email profile`",
  "V10.3.3": "`sub` is the user's id",
  "V10.4.1":
    "Both addresses come from the configuration (the requirement is for authorization servers; here it is applied to the way back)",
  "V10.4.2": "One atomic update. The second half is not met: a second use does not end the session of the first",
  "V10.4.3": "`exchangeCodeSeconds`; the code carries `tokenVersion`",
  "V10.5.1": "The nonce is compared",
  "V10.5.2":
    "The identity consists of issuer and subject; [it is linked to an account by address once, if both sides have verified it](../decisions/google-sign-in.md)",
  "V10.5.3": "The issuer of the description must be the configured one",
  "V10.5.4": "`aud` must be this client alone, and so must `azp`",
  "V11.4.2": "Argon2id, 19 MiB, two passes; after the cost is raised, hashes are renewed at sign-in",
  "V11.5.1": "`crypto.randomBytes` everywhere; 232 bits for a key, 256 bits for everything else",
  "V13.3.1":
    "Hashes, Argon2id, and AES-256-GCM with the record's id as context. Partly: the two secrets of the service are in files (0600) or variables, not in a vault",
  "V13.4.4": "Not a declared method",
  "V13.4.6": "No such headers; the texts of errors are fixed",
  "V14.2.1": "A key in a query is refused without being looked up",
  "V14.2.4": "The tests search for what [identity](../identity.md) says is neither stored nor logged",
  "V14.3.2": "`Cache-Control: no-store` on everything under `/api`",
  "V15.3.3":
    "Closed schemas: unknown fields are refused; read-only fields that are sent back are ignored, but `id`, `ownerId` and `status` must match the record",
  "V15.3.5": "Bodies are validated without converting types",
  "V15.3.6": "Closed schemas; parsed bodies are never merged",
  "V15.3.7":
    "Body and query are separate; a repeated parameter is not a text; Node.js keeps the first `Authorization` line",
  "V16.2.5": "Credentials are removed from every finished line (`server/platform/redact.ts`)",
  "V16.3.1": "[The audit log](../identity.md#the-audit-log), written in the transaction of the event",
  "V16.4.1": "JSON lines",
  "V16.5.1": "The texts of errors are fixed; causes are only in the log",
  "V16.5.3": "A credential that cannot be verified is refused",
};

/** What is missing of requirements, and why. */
export const notMet: Readonly<Record<string, string>> = {
  "V6.2.12":
    "Passwords are compared with the 10,000 most common, not with a collection of breached ones: that would need gigabytes, or requests to another service",
  "V6.3.3":
    "The service has no second factor. Those who need one can sign in through an OpenID provider that requires it, but a password, if set, still works",
  "V6.5.5": "Mailed links are valid for 30 minutes, as specified, not 10",
  "V7.5.3": "Creating a key requires a session, but not the password again",
  "V7.6.1":
    "Signing out at the provider does not end a session here; it ends after an hour unless renewed, and after 30 days in any case",
  "V8.2.4": "Place, time and device have no influence, except known addresses in throttling",
  "V10.3.5": "Tokens and keys are bearer credentials, as specified: anyone who has one can use it",
  V12: "The service speaks HTTP; the proxy in front of it does TLS ([configurations](../../deploy/nginx.conf)). `BASE_URL` with `https:` turns on HSTS and `Secure` cookies",
  "V13.3.3, V13.3.4":
    "No hardware security module. Secrets are [changed](../keys-and-people.md#changing-the-secrets) when the operator decides; nothing does it by itself",
  "V16.3.2, V16.3.3":
    "Refused requests (401, 403, 429) are not logged, except wrong passwords and refused sign-ins with Google",
  "V16.4.3": "Logs go to the standard error output; the operator has to forward them",
};

/** Why requirements do not concern the service. */
export const notApplicable: Readonly<Record<string, string>> = {
  "V6.2.6, V6.2.7, V7.4.4, V14.3.1, V14.3.3": "They concern web pages; this is an API",
  "V6.4.2": "There are no hints or questions",
  "V6.4.4, V6.5.3, V6.5.4, V6.5.6 to V6.5.8, V6.6.1, V6.6.4, V6.7":
    "The service uses no second factors, telephones, devices or biometrics",
  "V6.8.3": "No SAML",
  "V6.8.4, V10.3.4": "No request can require a strength of authentication",
  "V7.2.3": "Session tokens are not references",
  "V8.3.3": "There is one service; nothing acts on behalf of a user",
  "V8.4.2": "No administrative interface",
  "V10.3.2": "Session tokens delegate nothing; scopes belong to keys and are in the database",
  "V10.4.4 to V10.4.16, V10.6, V10.7":
    "The service is a client of a provider and not a provider itself. V10.4.1 to V10.4.3 are nevertheless applied to its one-time codes",
  "V10.5.5": "No back-channel logout",
};
