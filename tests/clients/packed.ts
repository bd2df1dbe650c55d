import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type EmptyProject, installPacked } from "../../receiver/testing/empty-project.ts";

/** The name of the package. */
export const PACKAGE = "estimation-service-client";

/** Packs and installs the package for the tests of a file; it is there once they run. */
export function installForFile(): { readonly project: EmptyProject; readonly folder: string } {
  let project: EmptyProject | undefined;
  beforeAll(async () => {
    project = await installPacked("scripts/pack-client.ts");
  });
  afterAll(() => project?.remove());
  const installed = () => {
    if (project === undefined) throw new Error("the package is installed before the first test");
    return project;
  };
  return {
    get project() {
      return installed();
    },
    /** Where it is installed. */
    get folder() {
      return join(installed().folder, "node_modules", PACKAGE);
    },
  };
}
