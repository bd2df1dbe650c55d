type Ending = () => Promise<void>;

const endings: Ending[] = [];

/**
 * Runs `ending` when all tests of the current file have ended, even if it is called in a test or a hook: there, Vitest's own
 * `afterAll` does nothing, and what was started would run until the worker ends.
 */
export const atEndOfFile = (ending: Ending): void => void endings.push(ending);

/** Runs the endings, the latest first, each whatever the others do. Rejects with the first failure. */
export async function runEndings(): Promise<void> {
  const failures: unknown[] = [];
  for (const ending of endings.splice(0).reverse()) await ending().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
