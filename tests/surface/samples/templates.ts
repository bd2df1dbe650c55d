import type { templates } from "../../../contract/endpoints/templates.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface TemplateRecords {
  readonly template: string;
  /** One that every user of the instance sees. */
  readonly templateForAll: string;
}

/** Makes templates of the estimation. */
export async function makeTemplate({ call }: Making, { estimation }: EstimationRecords): Promise<TemplateRecords> {
  const make = async (more: object) => {
    const { template } = await call("POST", "/api/templates", { estimationId: estimation, name: "Web shop", ...more });
    return String(template?.id);
  };
  return { template: await make({}), templateForAll: await make({ visibility: "instance" }) };
}

export const templateSamples: Samples<typeof templates> = {
  listTemplates: () => ({}),
  createTemplate: ({ estimation }) => ({
    body: { estimationId: estimation, name: "Web shop", description: "What every shop needs" },
  }),
  getTemplate: ({ template }) => ({ params: { id: template } }),
  updateTemplate: ({ template }) => ({ params: { id: template }, body: { name: "Shop with a checkout" } }),
  deleteTemplate: ({ template }) => ({ params: { id: template } }),
  applyTemplate: ({ estimation, templateForAll }) => ({
    params: { id: estimation },
    body: { templateId: templateForAll, mode: "append" },
  }),
};
