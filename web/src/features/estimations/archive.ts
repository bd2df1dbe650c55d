import { Zip, ZipDeflate } from "fflate";

interface File {
  readonly fileName: string;
  readonly file: Blob;
}

/** Returns a name that no file of an archive has yet: some systems take names that differ in case only for one. */
function freeName(fileName: string, taken: Set<string>): string {
  const [stem, end] = [fileName.slice(0, fileName.lastIndexOf(".")), fileName.slice(fileName.lastIndexOf("."))];
  let name = fileName;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${stem} (${number})${end}`;
  taken.add(name.toLowerCase());
  return name;
}

/** Returns a ZIP archive of files; those of one name are numbered. */
export async function archiveOf(files: readonly File[]): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const failures: Error[] = [];
  const zip = new Zip((failure, part) => {
    if (failure) failures.push(failure);
    else parts.push(part);
  });
  const taken = new Set<string>();
  for (const { fileName, file } of files) {
    const entry = new ZipDeflate(freeName(fileName, taken));
    zip.add(entry);
    // Between two files the page can do something else.
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  zip.end();
  if (failures.length > 0) throw failures[0];
  return new Blob(parts, { type: "application/zip" });
}
