import type { Config } from "../../config.ts";
import { failWith } from "../../http/failure.ts";
import { createAddressCheck } from "../../http/outbound-address.ts";

/**
 * Returns a function that normalizes the address of a tracker's API: host in lower case, no slash at the end. It
 * refuses (400) an address that no request may go to, and one with a query.
 */
export function createBaseUrl(
  config: Pick<Config, "webhookAllowedNetworks" | "webhookAllowedPorts">,
): (text: string) => string {
  const check = createAddressCheck(
    { allowedNetworks: config.webhookAllowedNetworks, allowedPorts: config.webhookAllowedPorts },
    { path: "/baseUrl", example: "https://github.example.com/api/v3 or https://acme.atlassian.net" },
  );
  return (text) => {
    check(text);
    if (text.includes("?")) {
      failWith([{ path: "/baseUrl", in: "body", code: "not_allowed", message: "must not have a query" }]);
    }
    return new URL(text).href.replace(/\/+$/, "");
  };
}
