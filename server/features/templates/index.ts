export { makePrivateOfEnded } from "./store.ts";
