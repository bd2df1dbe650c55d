export { pinIfRoom, pinVersion } from "./pin.ts";
export { versionRoutes } from "./routes.ts";
export { removeVersionsForGood } from "./store.ts";
