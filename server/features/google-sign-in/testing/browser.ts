/** What a browser shows after one request. */
export interface Page {
  readonly status: number;
  readonly url: URL;
  /** Where it is sent next; null where it stays. */
  readonly location: URL | null;
  readonly setCookie: readonly string[];
  readonly headers: Headers;
  readonly text: string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
}

/** As much of a browser as signing in takes: cookies by host and path, one request at a time, redirects by hand. */
export interface Browser {
  visit(url: URL | string, form?: Record<string, string>): Promise<Page>;
  /** The `Cookie` header that it would send to `url`. */
  cookiesFor(url: URL | string): string;
  readonly cookies: readonly Cookie[];
}

/** `places` says where the addresses that begin with a prefix really are, like a proxy in front of them. */
export function createBrowser(places: Readonly<Record<string, string>> = {}): Browser {
  let jar: Cookie[] = [];

  const cookiesFor = (to: URL | string): string => {
    const url = new URL(to);
    return jar
      .filter(
        ({ host, path, secure }) => host === url.hostname && isBelow(path, url.pathname) && (!secure || isSecure(url)),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  };

  const keep = (url: URL, header: string) => {
    const [pair = "", ...rest] = header.split(";").map((part) => part.trim());
    const attributes = new Map(rest.map((part) => [part.split("=")[0]?.toLowerCase(), part.split("=")[1] ?? ""]));
    const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    const path = attributes.get("path") || "/";
    const secure = attributes.has("secure");
    if (secure && !isSecure(url)) return;
    if (name.startsWith("__Host-") && (!secure || path !== "/" || attributes.has("domain"))) return;
    jar = jar.filter((cookie) => cookie.name !== name || cookie.host !== url.hostname || cookie.path !== path);
    const expires = attributes.get("expires");
    const gone = attributes.get("max-age") === "0" || (expires !== undefined && Date.parse(expires) <= 0);
    if (!gone) jar.push({ name, value, host: url.hostname, path, secure });
  };

  return {
    cookiesFor,
    get cookies() {
      return jar;
    },
    async visit(to, form) {
      const url = new URL(to);
      const cookie = cookiesFor(url);
      const [prefix = "", place = ""] = Object.entries(places).find(([one]) => url.href.startsWith(`${one}/`)) ?? [];
      const response = await fetch(place + url.href.slice(prefix.length), {
        redirect: "manual",
        headers: cookie ? { cookie } : {},
        ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
      });
      const setCookie = response.headers.getSetCookie();
      for (const header of setCookie) keep(url, header);
      const location = response.headers.get("location");
      return {
        status: response.status,
        url,
        location: location === null ? null : new URL(location, url),
        setCookie,
        headers: response.headers,
        text: await response.text(),
      };
    },
  };
}

const isSecure = ({ protocol }: URL): boolean => protocol === "https:";

const isBelow = (path: string, pathname: string): boolean =>
  path === "/" || pathname === path || pathname.startsWith(`${path}/`);
