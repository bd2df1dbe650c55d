export { removeStoredEvidenceForGood } from "./evidence-store.ts";
export { removeModelAnswersForGood } from "./model/answer-store.ts";
export { type AskModel, createAskModel } from "./model/ask.ts";
export { suggestionRoutes } from "./routes.ts";
export { removeFeedbackForGood } from "./store.ts";
