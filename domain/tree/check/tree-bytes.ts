import { limits } from "../../../contract/limits.ts";
import type { Node } from "../shape.ts";

/** A character takes at most so many bytes in UTF-8, for each of its code units. */
const BYTES_PER_UNIT = 3;

/** Returns whether the tree of these nodes takes more bytes than a tree may, as the JSON (UTF-8) in which it is stored. */
export function exceedsTreeBytes(nodes: readonly Node[]): boolean {
  const text = JSON.stringify({ nodes });
  if (text.length > limits.treeBytes) return true;
  if (text.length * BYTES_PER_UNIT <= limits.treeBytes) return false;
  return new TextEncoder().encode(text).length > limits.treeBytes;
}
