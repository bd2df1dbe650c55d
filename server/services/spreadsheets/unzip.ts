import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";

/** Thrown for a file that cannot be read, with what to say of it. */
export class Unreadable extends Error {
  readonly code: "wrong_format" | "too_large" | "too_many";
  readonly expected: number | undefined;

  constructor(message: string, code: Unreadable["code"] = "wrong_format", expected?: number) {
    super(message);
    this.code = code;
    this.expected = expected;
  }
}

/** Characters of one text: a cell of a workbook has at most 32,767, and what is done with it takes many times its size. */
const LONGEST = 500_000;

/** @throws Unreadable for a text that is longer than any cell should be. */
export function boundedText(text: string): string {
  if (text.length <= LONGEST) return text;
  throw new Unreadable(`must not have texts of more than ${LONGEST} characters`, "too_large", LONGEST);
}

/** Files in an archive: a workbook has some dozens. */
const FILES = 2_000;

export interface Archive {
  has(name: string): boolean;
  /** Returns the text of a file in it. @throws Unreadable beyond the bound of all texts together. */
  read(name: string): Promise<string>;
}

/**
 * Opens a zip archive. Only what is read is inflated, and not beyond `mostBytes` in all: what an entry says of its size is
 * counted before, and what it really has while it is inflated.
 */
export async function openArchive(file: Buffer, mostBytes: number): Promise<Archive> {
  let zip: ZipFile;
  const entries = new Map<string, Entry>();
  try {
    zip = await fromBufferPromise(file, { lazyEntries: true, autoClose: false });
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= FILES) throw new Unreadable(`must not contain more than ${FILES} files`, "too_many", FILES);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable("is not a workbook (.xlsx), or is damaged");
  }
  let left = mostBytes;
  const tooLarge = () =>
    new Unreadable(`must not have more than ${mostBytes} bytes of sheets, unpacked`, "too_large", mostBytes);
  return {
    has: (name) => entries.has(name),
    async read(name) {
      const entry = entries.get(name);
      if (!entry) throw new Unreadable("is not a workbook (.xlsx): a part of it is missing");
      if (entry.isEncrypted()) throw new Unreadable("is encrypted: save it without a password");
      if (entry.uncompressedSize > left) throw tooLarge();
      const chunks: Buffer[] = [];
      try {
        // Inflating stops where there is more than the entry says.
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          left -= (chunk as Buffer).length;
          if (left < 0) throw tooLarge();
          chunks.push(chunk as Buffer);
        }
      } catch (error) {
        throw error instanceof Unreadable ? error : new Unreadable("is damaged: a part of it cannot be unpacked");
      }
      return Buffer.concat(chunks)
        .toString("utf8")
        .replace(/^\uFEFF/, "");
    },
  };
}
