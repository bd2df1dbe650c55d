import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { createTurns, type Rank, type TakeTurn } from "./turns.ts";

const deriveKey = promisify(argon2);

/** The cost of a hash: memory in KiB, passes over it, lanes. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Argon2id parameters of the OWASP Password Storage Cheat Sheet; raising them takes effect at each user's next sign-in. */
export const currentCost: HashCost = { memoryKib: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** The longest wait, in hashes of some 25 to 50 ms: a few seconds in all. */
const WAITING_MAX = 200;

/**
 * One queue for the process, as are the four threads that Node hashes on: at most two of them hash, so that files, name
 * look-ups and token signatures always find a free one, and on small machines one core stays free for requests.
 */
const processTurns = createTurns({
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waitingMax: WAITING_MAX,
});

/** Whether a password is right, and whether its hash should be made again at the current cost. */
export interface Verdict {
  readonly matches: boolean;
  readonly outdated: boolean;
}

/** Hashes and verifies passwords, a limited number at a time. Both reject with `Overloaded` if too many wait. */
export interface Passwords {
  /**
   * PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$tag`) with a fresh salt. A yielding one leaves room in the queue for
   * others.
   */
  hash(password: string, rank?: Rank): Promise<string>;
  /**
   * Compares in constant time. If `stored` is null or unreadable, it takes as long and never matches. `admit` runs at
   * the password's turn, before hashing; if it throws, it ends there. What it returns runs after a match, still at
   * that turn: no more passwords than have a turn at once are between the two.
   */
  verify(password: string, stored: string | null, admit?: () => Promise<() => Promise<void>>): Promise<Verdict>;
}

/**
 * Returns the form in which passwords are hashed: Unicode normalization form C, as in RFC 8265 (OpaqueString). So a
 * password typed on another system stays the same, while compatibility characters (² and 2) stay different.
 */
export const normalizePassword = (password: string): string => password.normalize("NFC");

export function createPasswords({
  cost = currentCost,
  takeTurn = processTurns,
}: {
  cost?: HashCost | undefined;
  takeTurn?: TakeTurn;
} = {}): Passwords {
  // Used if there is no hash to compare with; its tag matches no password.
  const standIn: Hash = { cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) };
  return {
    hash: (password, rank) =>
      takeTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        return write({ cost, salt, tag: await derive(password, salt, cost, TAG_BYTES) });
      }, rank),
    verify: (password, stored, admit) =>
      takeTurn(async () => {
        const onMatch = await admit?.();
        const known = stored === null ? null : read(stored);
        const { cost: spent, salt, tag } = known ?? standIn;
        const matches = timingSafeEqual(await derive(password, salt, spent, tag.length), tag) && known !== null;
        if (matches) await onMatch?.();
        return { matches, outdated: matches && !isCurrent(spent, cost) };
      }),
  };
}

interface Hash {
  readonly cost: HashCost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const derive = (password: string, nonce: Buffer, cost: HashCost, tagLength: number): Promise<Buffer> =>
  deriveKey("argon2id", {
    message: normalizePassword(password),
    nonce,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.parallelism,
    tagLength,
  });

const isCurrent = (spent: HashCost, cost: HashCost): boolean =>
  spent.memoryKib === cost.memoryKib && spent.passes === cost.passes && spent.parallelism === cost.parallelism;

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

const write = ({ cost: { memoryKib, passes, parallelism }, salt, tag }: Hash): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/;

function read(phc: string): Hash | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    cost: { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}
