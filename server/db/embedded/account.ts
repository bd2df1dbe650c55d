import { readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { StartFailure } from "./start-failure.ts";

/** An account of the operating system that PostgreSQL runs as. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/** Other than root, in the order of preference; the first that exists is taken. */
const candidates = ["postgres", "_postgres", "nobody"];

/**
 * The account to run PostgreSQL as when this process is root, which PostgreSQL refuses: the owner of the cluster if
 * there is one, else an account without rights of its own. Undefined: as this process's user.
 * @throws StartFailure when root finds no other account, or an ordinary user meets another user's cluster.
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

/** The accounts that may connect to the database: this process's, and root, from whom nothing is hidden anyway. */
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
    // macOS writes nobody's id as -2.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : [];
  });
}
