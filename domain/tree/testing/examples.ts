import { readdirSync, readFileSync } from "node:fs";
import type { NodeInput, Tree } from "../shape.ts";
import { plant } from "./trees.ts";

const folder = new URL("../../../examples/", import.meta.url);

/** What one of the example files holds. */
export interface Example {
  readonly file: string;
  readonly estimation: { readonly hourlyRate: number; readonly currency: string };
  readonly tree: Tree;
}

/** Every estimation of the examples' folder, its tree planted. */
export const examples: readonly Example[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((file) => {
    const { estimation, tree } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
      estimation: Example["estimation"];
      tree: { nodes: NodeInput[] };
    };
    return { file, estimation, tree: plant(tree.nodes) };
  });
