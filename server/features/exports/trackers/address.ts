/** Reads the address of a connection. A dot at the end of a host is left out: it is the same host. */
export function addressIn(baseUrl: string): URL {
  const url = new URL(baseUrl);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
}
