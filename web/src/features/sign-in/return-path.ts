const HOME = "/estimations";
const KEPT = "return-after-google";

/** Returns a path of this application to go to, never an address elsewhere that somebody put into a link. */
export function safePath(path: string | undefined, origin: string = location.origin): string {
  if (path === undefined) return HOME;
  const url = URL.parse(path, origin);
  if (!path.startsWith("/") || url?.origin !== origin) return HOME;
  // Such as "/.//host/": a path that begins with two slashes is an address elsewhere.
  if (url.pathname.startsWith("//") || url.pathname.startsWith("/sign-in")) return HOME;
  return url.pathname + url.search + url.hash;
}

/** Keeps where to go while the browser is at the provider's pages. */
export const keepReturnPath = (path: string | undefined): void => sessionStorage.setItem(KEPT, safePath(path));

export function takeReturnPath(): string {
  const path = sessionStorage.getItem(KEPT) ?? undefined;
  sessionStorage.removeItem(KEPT);
  return safePath(path);
}
