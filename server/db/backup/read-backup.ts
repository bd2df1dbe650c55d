import { timingSafeEqual } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { createZstdDecompress } from "node:zlib";
import {
  type BackupKeys,
  createMac,
  damaged,
  type Frame,
  foreignSecrets,
  HEADER_BYTES_MAX,
  type Header,
  MAC_BYTES,
  readFrames,
  readHeader,
  UnusableBackup,
} from "./format.ts";

/** A file that is whole and unchanged, and that was made with the present ENCRYPTION_KEY. */
export interface OpenBackup {
  readonly header: Header;
  /** Whether the present SESSION_SECRET signed the sessions that are in it. */
  readonly keepsSessions: boolean;
  /** Reads what was copied. */
  frames(): AsyncGenerator<Frame>;
  close(): Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Opens the file of a backup, and reads all of it once to see that nothing of it is missing or changed. Memory does not depend
 * on its size.
 * @throws UnusableBackup if it cannot be used, or a file system's error.
 */
export async function openBackup(file: string, keys: BackupKeys): Promise<OpenBackup> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const { header, headerBytes } = await readFirstLine(handle);
    const foreign = foreignSecrets(header, keys);
    if (foreign.includes("ENCRYPTION_KEY")) throw new UnusableBackup("it was made with another ENCRYPTION_KEY");
    const end = size - MAC_BYTES;
    if (end < headerBytes || !(await isUnchanged(handle, end, keys))) throw damaged();
    return {
      header,
      keepsSessions: foreign.length === 0,
      frames: () => framesIn(handle, headerBytes, end),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readFirstLine(handle: FileHandle): Promise<{ header: Header; headerBytes: number }> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
  const end = buffer.subarray(0, bytesRead).indexOf("\n");
  return { header: readHeader(buffer.toString("utf8", 0, Math.max(0, end))), headerBytes: end + 1 };
}

async function isUnchanged(handle: FileHandle, end: number, keys: BackupKeys): Promise<boolean> {
  const mac = createMac(keys);
  for await (const chunk of bytesOf(handle, 0, end)) mac.update(chunk);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAC_BYTES), 0, MAC_BYTES, end);
  return bytesRead === MAC_BYTES && timingSafeEqual(buffer, mac.digest());
}

/** Reads the bytes from `start` to before `end`. */
const bytesOf = (handle: FileHandle, start: number, end: number) =>
  handle.createReadStream({ start, end: end - 1, autoClose: false, highWaterMark: CHUNK_BYTES });

async function* framesIn(handle: FileHandle, start: number, end: number): AsyncGenerator<Frame> {
  if (end === start) throw damaged();
  const compressed = bytesOf(handle, start, end);
  const frames = compressed.pipe(createZstdDecompress({ chunkSize: CHUNK_BYTES }));
  compressed.on("error", (error) => frames.destroy(error));
  try {
    yield* readFrames(frames);
  } finally {
    compressed.destroy();
    frames.destroy();
  }
}
