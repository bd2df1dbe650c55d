import { constants } from "node:fs";
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { StartFailure } from "./start-failure.ts";

/** An operating-system account that PostgreSQL runs as. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/** Accounts other than root, in order of preference; the first that exists is used. */
const candidates = ["postgres", "_postgres", "nobody"];

/**
 * Returns the account to run PostgreSQL as if this process is root, which PostgreSQL refuses: the owner of the cluster
 * if there is one, else an account without special rights. Undefined: the user of this process.
 * @throws StartFailure if root finds no other account, or an ordinary user finds another user's cluster.
 */
export async function chooseAccount(clusterFolder: string): Promise<Account | undefined> {
  if (process.getuid === undefined) return undefined;
  const owner = await ownerOf(clusterFolder);
  if (process.getuid() !== 0) {
    if (owner === undefined || owner.uid === process.getuid()) return undefined;
    throw new StartFailure(
      `the database in ${clusterFolder} belongs to another user (id ${owner.uid}): start the service as that user, or choose another DATA_DIR`,
    );
  }
  const accounts = await readAccounts();
  if (owner !== undefined && owner.uid !== 0) {
    const name = accounts.find(({ uid }) => uid === owner.uid)?.name ?? String(owner.uid);
    return { ...owner, name };
  }
  const account = candidates.map((name) => accounts.find((one) => one.name === name)).find((one) => one !== undefined);
  if (account !== undefined) return account;
  throw new StartFailure(
    "PostgreSQL refuses to run as root, and there is no account postgres or nobody to run it as: start the service as an ordinary user, or set DATABASE_URL",
  );
}

/** The accounts that may connect to the database: this process's, and root, which can read everything anyway. */
export function accountsThatMayConnect(): string[] {
  return [...new Set(["root", userInfo().username])];
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n");
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    // macOS writes the id of nobody as -2.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : [];
  });
}

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
  const handle = await open(file, modes[mode] | constants.O_NOFOLLOW, 0o600);
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
