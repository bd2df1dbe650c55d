import { limits } from "../../../../contract/limits.ts";
import { decodeText } from "../../../../domain/transfer/sheet-import/decode-text.ts";
import { sheetTexts as t } from "./sheet-texts.ts";

/** Why a file is not sent. */
export class UnusableFile extends Error {}

/** Returns a spreadsheet as it is sent. */
export async function sheetBody(file: File): Promise<{ readonly format: "xlsx" | "csv"; readonly content: string }> {
  if (file.size > limits.sheetFileBytes) throw new UnusableFile(t.tooLarge(limits.sheetFileBytes / 1024 ** 2));
  if (!/\.xls[xm]?$/i.test(file.name))
    return { format: "csv", content: decodeText(new Uint8Array(await file.arrayBuffer())) || " " };
  return { format: "xlsx", content: (await dataUrlOf(file)).replace(/^[^,]*,?/, "") || "AAAA" };
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
