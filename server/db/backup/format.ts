import { createHmac, timingSafeEqual } from "node:crypto";
import { markOf } from "../secret-marks.ts";

/*
 * The file of a backup: a line of JSON (`Header`), then frames, compressed together by Zstandard, then an HMAC of all before.
 * A frame is its kind, the length of its content, and the content. Each table is a frame that names it and frames of what
 * PostgreSQL's COPY writes of its rows; the last frame is the manifest, because only then rows and digests are known.
 */

const NAME = "estimation-service backup";
/** Rises when files of before could not be read in the same way any more. */
const FORMAT = 1;

/** What has to be known before the tables are read. */
export interface Header {
  readonly format: typeof NAME;
  readonly version: number;
  /** When the snapshot was taken, ISO 8601. */
  readonly madeAt: string;
  /** The migrations that the database had, by their times. */
  readonly migrations: readonly number[];
  /** What recognises each secret that the data need (`markOf`), in base64url. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A table as it is named before its rows. */
export interface TableHead {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What was copied of a table. */
export interface TableSum extends TableHead {
  readonly rows: number;
  /** SHA-256 of its rows as COPY wrote them, in hexadecimal. */
  readonly sha256: string;
}

/** A column whose values a sequence gives, and where that sequence is. */
export interface SequenceState {
  readonly table: string;
  readonly column: string;
  readonly last: string;
  readonly isCalled: boolean;
}

export interface Manifest {
  readonly tables: readonly TableSum[];
  readonly sequences: readonly SequenceState[];
}

/** A file that is not restored; the message is one line, for the person at the terminal. */
export class UnusableBackup extends Error {}

export const damaged = (): UnusableBackup => new UnusableBackup("it is damaged, or not complete");

/** The secrets by which a backup is recognised, and the key of its HMAC. */
export interface BackupKeys {
  readonly secrets: Readonly<Record<string, Uint8Array>>;
  readonly macKey: Uint8Array;
}

export const MAC_BYTES = 32;
export const createMac = ({ macKey }: BackupKeys) => createHmac("sha256", macKey);

const marksOf = ({ secrets }: BackupKeys): Record<string, string> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [name, markOf(name, secret).toString("base64url")]),
  );

export function headerLine(madeAt: Date, migrations: readonly number[], keys: BackupKeys): Buffer {
  const secrets = marksOf(keys);
  const header: Header = { format: NAME, version: FORMAT, madeAt: madeAt.toISOString(), migrations, secrets };
  return Buffer.from(`${JSON.stringify(header)}\n`);
}

/** A header of this version is far shorter. */
export const HEADER_BYTES_MAX = 65_536;

/** @throws UnusableBackup if it is not the first line of a backup that this version can read. */
export function readHeader(line: string): Header {
  let header: Partial<Header> | undefined;
  try {
    header = JSON.parse(line);
  } catch {
    // As any other content.
  }
  if (header?.format !== NAME) throw new UnusableBackup("it is not a backup of this service");
  if (header.version !== FORMAT) throw new UnusableBackup("it was made by a newer version of this service");
  return header as Header;
}

/** Returns the names of the secrets of `header` that are not those of `keys`. */
export function foreignSecrets({ secrets }: Header, keys: BackupKeys): string[] {
  const marks = marksOf(keys);
  const isSame = (one: string, other: string) =>
    one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
  return Object.entries(marks).flatMap(([name, mark]) => (isSame(mark, String(secrets?.[name])) ? [] : [name]));
}

export const FRAME = { table: 0x54, data: 0x44, manifest: 0x4d } as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  readonly kind: number;
  readonly content: Buffer;
}

/** No frame is longer: it is read as a whole. */
export const FRAME_BYTES_MAX = 1 << 20;
const HEAD_BYTES = 5;

/** Returns what precedes the content of a frame. */
export function frameHead(kind: FrameKind, bytes: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = kind;
  head.writeUInt32BE(bytes, 1);
  return head;
}

/** Reads frames from bytes in whatever pieces they come. @throws UnusableBackup where a frame is cut off. */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUInt32BE(1);
      if (end > HEAD_BYTES + FRAME_BYTES_MAX) throw damaged();
      if (rest.length < end) break;
      yield { kind: rest[0] ?? 0, content: rest.subarray(HEAD_BYTES, end) };
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw damaged();
}
