import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Account } from "./account.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants;
const modes = { "a+": O_RDWR | O_CREAT | O_APPEND, a: O_RDWR | O_APPEND, wx: O_RDWR | O_CREAT | O_EXCL };

/**
 * Opens a file that belongs to `account` in a folder that `account` may change: root follows no link there, because it
 * might lead anywhere. Modes as in `node:fs`, except that `a` does not create.
 */
export async function openFor(
  account: Account | undefined,
  file: string,
  mode: keyof typeof modes,
): Promise<FileHandle> {
  const handle = await open(file, modes[mode] | (constants.O_NOFOLLOW ?? 0), 0o600);
  if (account !== undefined) await handle.chown(account.uid, account.gid);
  return handle;
}

/** Writes `text` to a file opened as by {@link openFor}. */
export async function writeFor(
  account: Account | undefined,
  file: string,
  mode: keyof typeof modes,
  text: string,
): Promise<void> {
  const handle = await openFor(account, file, mode);
  await handle.writeFile(text).finally(() => handle.close());
}
