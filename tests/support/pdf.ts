import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const MISSING = "This test needs Poppler: install it (Debian: apt-get install --no-install-recommends poppler-utils)";

/** What a PDF shows to those who look at it. */
interface ReadPdf {
  /** The lines of each page from top to bottom, without empty ones; columns are separated by several spaces. */
  readonly pages: readonly (readonly string[])[];
  /** How many pictures it has that are made of pixels. */
  readonly images: number;
  /** Of all pages, in points. */
  readonly width: number;
}

/** Reads a PDF as a person does. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const folder = await mkdtemp(join(tmpdir(), "pdf-"));
  try {
    const path = join(folder, "read.pdf");
    await writeFile(path, bytes);
    const [text, images, facts] = await Promise.all([
      run("pdftotext", "-layout", path, "-"),
      run("pdfimages", "-list", path),
      run("pdfinfo", path),
    ]);
    const pages = text.split("\f").slice(0, -1);
    return {
      pages: pages.map((page) => page.split("\n").flatMap((line) => line.trim() || [])),
      // Two lines of headings come before them.
      images: images.trim().split("\n").length - 2,
      width: Number(/^Page size:\s+([\d.]+)/m.exec(facts)?.[1]),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(program: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? new Error(MISSING) : error;
  }
}
