export { suggestionRoutes } from "./routes.ts";
export { removeFeedbackForGood } from "./store.ts";
