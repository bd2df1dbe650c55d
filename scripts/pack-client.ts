/**
 * `npm run pack:client`: packs what programs that call the API install: the typed client and what receives webhooks, without
 * dependencies. An argument names the folder for the package; by default `dist`.
 */
import { packPackage } from "./pack-package.ts";

packPackage(
  {
    name: "estimation-service-client",
    description: "Calls the API of the estimation service, typed, and verifies its webhooks.",
    project: "clients/typescript/tsconfig.json",
    into: "modules",
    entries: { ".": "modules/clients/typescript/index", "./webhooks": "modules/receiver/index" },
    node: 20,
    guide: "docs/clients/README.md",
  },
  process.argv[2],
);
