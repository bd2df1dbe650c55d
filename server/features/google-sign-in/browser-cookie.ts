import type { Config } from "../../config.ts";
import type { Services } from "../../services/index.ts";

/** The values that a browser was sent away with, and must come back with. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** Secret of PKCE; the provider has seen only its hash. */
  readonly codeVerifier: string;
  /** Milliseconds since 1970; the last one is still valid. */
  readonly expiresAtMs: number;
}

/** Ties a sign-in to the browser that started it, by a cookie that only this service can read or write. */
export interface BrowserCookie {
  /** Value of `Set-Cookie` that keeps `pending` for `maxAgeSeconds`. */
  set(pending: PendingSignIn, maxAgeSeconds: number): Promise<string>;
  /** Reads the `Cookie` header; null if it contains no pending sign-in sealed by this service. */
  read(header: string | null): PendingSignIn | null;
  /** Value of `Set-Cookie` that removes it. */
  readonly clear: string;
}

const CONTEXT = "google-sign-in";

/**
 * HttpOnly and SameSite=Lax, so that it is sent when the provider redirects the browser back and no page can read it.
 * Over HTTPS the name begins with `__Host-`: browsers do not accept such a cookie from a sibling domain, and require
 * `Path=/`. Over plain HTTP, which is for a local machine, the path is that of the sign-in.
 */
export function createBrowserCookie({ baseUrl }: Pick<Config, "baseUrl">, sealing: Services["sealing"]): BrowserCookie {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === "https:";
  const name = secure ? "__Host-google-sign-in" : "google-sign-in";
  const path = secure ? "/" : `${pathname.replace(/\/$/, "")}/api/auth/google`;
  const write = (value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return {
    set: async (pending, maxAgeSeconds) =>
      write((await sealing.sealBriefly(JSON.stringify(pending), CONTEXT)).toString("base64url"), maxAgeSeconds),
    read(header) {
      const values = valuesOf(header ?? "", name);
      // Two cookies with one name come from two places, and nothing tells which one is ours.
      if (values.length !== 1) return null;
      try {
        return JSON.parse(sealing.open(Buffer.from(values[0] as string, "base64url"), CONTEXT)) as PendingSignIn;
      } catch {
        return null;
      }
    },
    clear: write("", 0),
  };
}

function valuesOf(header: string, name: string): string[] {
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
