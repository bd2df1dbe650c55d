const HOME = "/estimations";
const KEPT = "return-after-google";

/** Returns a path of this application to go to, never an address elsewhere that somebody put into a link. */
export function safePath(path: string | undefined): string {
  if (path === undefined) return HOME;
  const url = URL.parse(path, location.origin);
  if (!path.startsWith("/") || url?.origin !== location.origin || url.pathname.startsWith("/sign-in")) return HOME;
  return url.pathname + url.search + url.hash;
}

/** Keeps where to go while the browser is at the provider's pages. */
export const keepReturnPath = (path: string | undefined): void => sessionStorage.setItem(KEPT, safePath(path));

export function takeReturnPath(): string {
  const path = sessionStorage.getItem(KEPT) ?? undefined;
  sessionStorage.removeItem(KEPT);
  return safePath(path);
}
