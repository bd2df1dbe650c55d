export type { Pages } from "./load.ts";
export { mountPages } from "./mount.ts";
export { preparePages } from "./prepare.ts";
