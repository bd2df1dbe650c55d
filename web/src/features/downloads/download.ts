import { api } from "../../api/client.ts";
import { saveFile } from "./save-file.ts";
import type { downloadTexts } from "./texts.ts";

/** Kinds of files to choose from. */
export type DownloadFormat = keyof typeof downloadTexts.formats;

/** Excel takes a CSV file for one in an older encoding unless it begins with this. */
const BYTE_ORDER_MARK = "\ufeff";

/** Returns an estimation as the service has it, as a file. */
export async function fileOf(
  id: string,
  format: DownloadFormat,
): Promise<{ readonly file: Blob; readonly fileName: string }> {
  if (format !== "csvInGerman") return api.exportEstimation({ params: { id }, query: { format } });
  const { file, fileName } = await api.exportEstimation({
    params: { id },
    query: { format: "csv", separator: ";", decimal: "," },
  });
  return { file: new Blob([BYTE_ORDER_MARK, file], { type: file.type }), fileName };
}

/** Downloads an estimation as the service has it. */
export async function download(id: string, format: DownloadFormat): Promise<void> {
  const { file, fileName } = await fileOf(id, format);
  saveFile(file, fileName);
}
