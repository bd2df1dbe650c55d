import { limits } from "../../contract/limits.ts";
import type { Node } from "./shape.ts";

/** Returns whether the tree of these nodes takes more bytes than a tree may, as the JSON (UTF-8) in which it is stored. */
export const exceedsTreeBytes = (nodes: readonly Node[]): boolean =>
  Buffer.byteLength(JSON.stringify({ nodes })) > limits.treeBytes;
