import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { Logger } from "pino";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificate authorities to trust: Node's own, those of NODE_EXTRA_CA_CERTS, and every certificate in a `*.pem` file
 * of `folder`. The folder is looked at again on every call, so that a file put there counts from the next connection
 * on; a file that holds anything else is left out, with a line in the log.
 */
export function createAuthorities(folder: string, log: Logger): () => SecureContext {
  let seen = "";
  let context = createSecureContext();
  return () => {
    const files = listFiles(folder);
    const stamp = files.map(({ path, stamp }) => `${path} ${stamp}`).join("\n");
    if (stamp !== seen) {
      const own = files.flatMap(({ path }) => readCertificates(path, log));
      context =
        own.length > 0 ? createSecureContext({ ca: [...getCACertificates("default"), ...own] }) : createSecureContext();
      seen = stamp;
    }
    return context;
  };
}

/** The folder's `*.pem` files with what changes when their content does. None where there is no folder. */
function listFiles(folder: string): { path: string; stamp: string }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".pem"))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? [{ path, stamp: `${found.mtimeMs} ${found.size} ${found.ino}` }] : [];
    });
}

function readCertificates(path: string, log: Logger): string[] {
  try {
    const certificates = readFileSync(path, "utf8").match(CERTIFICATE) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length === 0) log.warn({ path }, "a file of trusted certificates holds none");
    return certificates;
  } catch (error) {
    log.warn({ path, err: error }, "a file of trusted certificates cannot be read");
    return [];
  }
}
