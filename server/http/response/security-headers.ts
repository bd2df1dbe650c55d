/** Returns the headers of every response. `baseUrl` decides whether browsers are told to use only HTTPS. */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

/** Headers of every response under `/api`. */
export const apiHeaders = { "cache-control": "no-store" } as const;
