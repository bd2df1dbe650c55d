import { api } from "../../api/client.ts";
import { saveFile } from "./save-file.ts";
import type { downloadTexts } from "./texts.ts";

/** Downloads an estimation as the service has it. */
export async function download(id: string, format: keyof typeof downloadTexts.formats): Promise<void> {
  const { file, fileName } = await api.exportEstimation({ params: { id }, query: { format } });
  saveFile(file, fileName);
}
