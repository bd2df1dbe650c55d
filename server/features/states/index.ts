export { makeMatchingMove } from "./move.ts";
export { stateRoutes } from "./routes.ts";
