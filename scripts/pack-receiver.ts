/**
 * Packs what receivers install: the module built to JavaScript, its types and its guide, under the project's name and
 * version but without its dependencies. An argument names the folder for the package; by default `dist`.
 */
import { packPackage } from "./pack-package.ts";

packPackage(
  {
    description: "Verifies the webhooks of the estimation service and types their events.",
    project: "receiver/tsconfig.json",
    into: "webhooks",
    entries: { "./webhooks": "webhooks/index" },
    node: 18,
    guide: "docs/webhooks.md",
  },
  process.argv[2],
);
