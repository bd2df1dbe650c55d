import type { templates } from "../../../contract/templates.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface TemplateRecords {
  readonly template: string;
}

/** Makes a template of the estimation. */
export async function makeTemplate({ call }: Making, { estimation }: EstimationRecords): Promise<TemplateRecords> {
  const { template } = await call("POST", "/api/templates", { estimationId: estimation, name: "Web shop" });
  return { template: String(template?.id) };
}

export const templateSamples: Samples<typeof templates> = {
  listTemplates: () => ({}),
  createTemplate: ({ estimation }) => ({
    body: { estimationId: estimation, name: "Web shop", description: "What every shop needs" },
  }),
  getTemplate: ({ template }) => ({ params: { id: template } }),
  deleteTemplate: ({ template }) => ({ params: { id: template } }),
  applyTemplate: ({ estimation, template }) => ({
    params: { id: estimation },
    body: { templateId: template, mode: "append" },
  }),
};
