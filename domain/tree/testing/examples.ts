import { readdirSync, readFileSync } from "node:fs";
import type { NodeInput, Tree } from "../shape.ts";
import { plant } from "./trees.ts";

const folder = new URL("../../../examples/", import.meta.url);

/** The content of one example file. */
export interface Example {
  readonly file: string;
  readonly estimation: { readonly hourlyRate: number; readonly currency: string };
  readonly tree: Tree;
}

/** Returns every estimation in the examples' folder, with its tree built. */
export const examples: readonly Example[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((file) => {
    const { estimation, tree } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
      estimation: Example["estimation"];
      tree: { nodes: NodeInput[] };
    };
    return { file, estimation, tree: plant(tree.nodes) };
  });
