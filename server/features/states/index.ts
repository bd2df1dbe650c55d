export { makeMatchingMove } from "./move.ts";
