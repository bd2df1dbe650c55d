import { type Config, isLoopback, isLoopbackName } from "../config.ts";

/** Returns a line for the log for each combination of settings that is allowed, but was probably not intended. */
export function startupWarnings({
  host,
  baseUrl,
  trustProxy,
  webhookAllowedNetworks,
}: Pick<Config, "host" | "baseUrl" | "trustProxy" | "webhookAllowedNetworks">): string[] {
  const base = URL.parse(baseUrl);
  const proxied = base?.protocol === "https:" && !isLoopbackName(base.hostname) && isLoopback(host);
  if (!proxied) return [];
  const doubts: string[] = [];
  if (trustProxy.length === 0)
    doubts.push(
      "BASE_URL is public and HOST is not, so a proxy forwards the requests, but TRUST_PROXY does not name it: all clients count as one address, whose limits any of them can use up for all",
    );
  if (webhookAllowedNetworks.includes("127.0.0.0/8"))
    doubts.push(
      "BASE_URL is public, and webhooks may reach this machine's own services: set WEBHOOK_ALLOWED_NETWORKS, which may be empty, unless that is meant",
    );
  return doubts;
}
