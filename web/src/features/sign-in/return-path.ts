const HOME = "/estimations";
const STORAGE_KEY = "return-after-google";
/** How long a sign-in at the provider may take, in milliseconds. */
const LIFETIME_MS = 10 * 60_000;

/** Returns a path of this application to go to, never an address elsewhere that somebody put into a link. */
export function safePath(path: string | undefined, origin: string = location.origin): string {
  if (path === undefined) return HOME;
  const url = URL.parse(path, origin);
  if (!path.startsWith("/") || url?.origin !== origin) return HOME;
  // Such as "/.//host/": a path that begins with two slashes is an address elsewhere.
  if (url.pathname.startsWith("//") || url.pathname.startsWith("/sign-in")) return HOME;
  return url.pathname + url.search + url.hash;
}

/**
 * Notes that this tab begins a sign-in at the provider, and where to go afterwards. Without this note, a code in the address
 * is not exchanged: it could be the code of somebody else, in a link that they made.
 */
export const beginProviderSignIn = (path: string | undefined): void =>
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ path: safePath(path), at: Date.now() }));

/** Returns where to go after the sign-in that this tab began, and forgets it; null if it began none in the last minutes. */
export function takeProviderSignIn(): string | null {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  try {
    const { path, at } = JSON.parse(stored ?? "") as { path: string; at: number };
    return Date.now() - at < LIFETIME_MS ? safePath(path) : null;
  } catch {
    return null;
  }
}
