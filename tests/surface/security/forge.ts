import { createHmac } from "node:crypto";
import type { TestApp } from "../../harness.ts";

/** Changes to a genuine token; a field that is undefined is removed. */
export interface Forgery {
  readonly header?: object;
  readonly claims?: object;
  /** By default the service's own, so that a token is refused only for its content. */
  readonly secret?: Uint8Array | string;
  readonly hash?: "sha256" | "sha384" | "sha512";
}

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, "base64url").toString("utf8"));

/** Returns header and claims of a token in the compact form that is signed. */
export function unsigned(token: string, { header = {}, claims = {} }: Forgery): string {
  const [head = "", body = ""] = token.split(".");
  return `${encode({ ...decode(head), ...header })}.${encode({ ...decode(body), ...claims })}`;
}

/** Returns `token` with changes, signed again with HMAC. */
export function forge({ services }: TestApp, token: string, forgery: Forgery = {}): string {
  const input = unsigned(token, forgery);
  const { secret = services.sessionKeys.valid[0] ?? "", hash = "sha256" } = forgery;
  return `${input}.${createHmac(hash, secret).update(input).digest("base64url")}`;
}
