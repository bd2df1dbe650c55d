import type { importExport } from "../../../contract/endpoints/import-export.ts";
import type { Samples } from "./noun.ts";

export const importExportSamples: Samples<typeof importExport> = {
  exportEstimation: ({ estimation }) => ({ params: { id: estimation }, query: { format: "markdown" } }),
  importEstimation: () => ({ body: { format: "outline", content: "# Shop\n\n- Payment\n  - Card: 4-16-34\n" } }),
  previewImport: () => ({
    body: { format: "csv", content: "No.,Task,Hours,Role\n1,Payment,,\n1.1,Card,4-16-34,backend\n1.2,Invoice,2d,\n" },
  }),
};
