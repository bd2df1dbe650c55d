import { createHmac } from "node:crypto";
import type { TestApp } from "../../harness.ts";

/** What a forger changes of a genuine token; a field that is undefined is left out. */
export interface Forgery {
  readonly header?: object;
  readonly claims?: object;
  /** The service's own by default, so that what is refused is refused for its content. */
  readonly secret?: Uint8Array | string;
  readonly hash?: "sha256" | "sha384" | "sha512";
}

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, "base64url").toString("utf8"));

/** Header and claims of a token, in the compact form that gets signed. */
export function unsigned(token: string, { header = {}, claims = {} }: Forgery): string {
  const [head = "", body = ""] = token.split(".");
  return `${encode({ ...decode(head), ...header })}.${encode({ ...decode(body), ...claims })}`;
}

/** `token` with changes, signed anew with HMAC. */
export function forge({ services }: TestApp, token: string, forgery: Forgery = {}): string {
  const input = unsigned(token, forgery);
  const { secret = services.sessionSecret, hash = "sha256" } = forgery;
  return `${input}.${createHmac(hash, secret).update(input).digest("base64url")}`;
}
