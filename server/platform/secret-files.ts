import { randomBytes } from "node:crypto";
import { chmod, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";

const SECRET_BYTES = 32;

/**
 * Returns the 32-byte secret in `<folder>/<name>`, made on first use. Only this user may read the file (0600).
 * Processes that start together get the same secret, and a crash leaves either no file or a complete one.
 */
export async function readOrMakeSecret(folder: string, name: string): Promise<Uint8Array> {
  await makeFolder(folder, 0o700);
  const path = join(folder, name);
  const stored = await readSecret(folder, name);
  if (stored) return stored;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const secret = await readSecret(folder, name);
  if (!secret) throw new Error(`${path} cannot be read`);
  return secret;
}

/** Returns the secret in `<folder>/<name>`; null if there is none. */
export async function readSecret(folder: string, name: string): Promise<Uint8Array | null> {
  const path = join(folder, name);
  try {
    const secret = Buffer.from((await readFile(path, "utf8")).trim(), "base64url");
    if (secret.length !== SECRET_BYTES) throw new Error(`${path} does not hold a secret of ${SECRET_BYTES} bytes`);
    await chmod(path, 0o600);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
