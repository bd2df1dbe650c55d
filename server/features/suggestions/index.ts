export { forgetEvidence } from "./evidence-store.ts";
export { type AskModel, createAskModel } from "./model/ask.ts";
