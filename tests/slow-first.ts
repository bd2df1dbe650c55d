import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small: their work is in other files, or in programs that they start. */
const SLOW = [
  "tests/faults/",
  "tests/load/",
  "tests/surface/access-matrix.test.ts",
  "tests/surface/loops.test.ts",
  "tests/surface/states.test.ts",
  "tests/journeys/tour.test.ts",
  "tests/web/",
  "server/db/embedded/",
  "server/main.test.ts",
];

/**
 * Starts slow files first, and then the others as Vitest does: where it does not know how long they took, by their size.
 * Otherwise the slow ones would run last, when nothing is left to run beside them.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((path) => moduleId.includes(path));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
