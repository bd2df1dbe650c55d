export { pinIfRoom, pinVersion } from "./pin.ts";
export { versionRoutes } from "./routes.ts";
export { measureVersions, removeVersionsForGood } from "./store.ts";
