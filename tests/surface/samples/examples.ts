import type { examples } from "../../../contract/endpoints/examples.ts";
import type { Samples } from "./noun.ts";

export const exampleSamples: Samples<typeof examples> = {
  createExamples: () => ({}),
};
