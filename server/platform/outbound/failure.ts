import { errors } from "undici";

/** Why a request got no response. */
export type OutboundReason =
  | "timeout"
  | "dns"
  | "blocked_address"
  | "connection_refused"
  | "connection_failed"
  | "certificate"
  | "tls"
  | "invalid_response"
  | "aborted";

/** The response. */
export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes of the body as they came, never decompressed; as many as were asked for at the most. */
  readonly body: Buffer;
}

/** A request without a complete response; `cause` is the system's error. */
export class OutboundFailure extends Error {
  readonly reason: OutboundReason;
  /** The part of the response that had arrived, if there was a status. */
  readonly partial: OutboundResponse | null;
  constructor(reason: OutboundReason, more: { cause?: unknown; partial?: OutboundResponse | null } = {}) {
    super(reason, { cause: more.cause });
    this.reason = reason;
    this.partial = more.partial ?? null;
  }
}

const CODES: Readonly<Record<string, OutboundReason>> = {
  ECONNREFUSED: "connection_refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "invalid_response",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "invalid_response",
  EPROTO: "tls",
};

/** Verdicts of OpenSSL about a certificate that carry neither prefix of {@link CODES}' patterns. */
const CERTIFICATE_CODES = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Gives what undici, the resolver or TLS threw one of the stable reasons. */
export function failureOf(error: unknown, partial: OutboundResponse | null = null): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof errors.HTTPParserError)
    return new OutboundFailure("invalid_response", { cause: error, partial });
  const code = codeOf(error);
  return new OutboundFailure(CODES[code] ?? byFamily(code), { cause: error, partial });
}

function byFamily(code: string): OutboundReason {
  if (CERTIFICATE_CODES.has(code) || /^(CERT|CRL)_/.test(code)) return "certificate";
  if (/^ERR_(SSL|TLS)_/.test(code)) return "tls";
  return "connection_failed";
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== "") ?? "";
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
