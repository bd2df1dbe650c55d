import type { Config } from "../../config.ts";
import type { Sealing } from "../../platform/sealing.ts";

/** What a browser was sent away with, and must come back with. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** Secret of PKCE; the provider has seen its hash only. */
  readonly codeVerifier: string;
  /** Milliseconds since 1970; the last one is within the time. */
  readonly expiresAtMs: number;
}

/** Ties a sign-in to the browser that began it, by a cookie that this service alone can read or write. */
export interface BrowserCookie {
  /** Value of `Set-Cookie` that keeps `pending` for `maxAgeSeconds`. */
  set(pending: PendingSignIn, maxAgeSeconds: number): string;
  /** Reads the `Cookie` header; null where it holds no pending sign-in that was sealed here. */
  read(header: string | null): PendingSignIn | null;
  /** Value of `Set-Cookie` that removes it. */
  readonly clear: string;
}

const CONTEXT = "google-sign-in";

/**
 * HttpOnly and SameSite=Lax, so that it comes along when the provider sends the browser back and is not readable by any
 * page. Over HTTPS the name begins with `__Host-`, for which a browser takes no cookie from a sibling domain, and which
 * asks for `Path=/`; over plain HTTP, which is for one's own machine, the path is that of the sign-in.
 */
export function createBrowserCookie({ baseUrl }: Pick<Config, "baseUrl">, sealing: Sealing): BrowserCookie {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === "https:";
  const name = secure ? "__Host-google-sign-in" : "google-sign-in";
  const path = secure ? "/" : `${pathname.replace(/\/$/, "")}/api/auth/google`;
  const write = (value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return {
    set: (pending, maxAgeSeconds) =>
      write(sealing.seal(JSON.stringify(pending), CONTEXT).toString("base64url"), maxAgeSeconds),
    read(header) {
      const values = valuesOf(header ?? "", name);
      // Two of one name come from two places, and nothing says which of them is ours.
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
