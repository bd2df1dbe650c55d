/**
 * Decides what tests leave to chance. It is the same in each run, so that a test that passed does not fail later without a
 * change; `npm run test:repeat` sets another one for each of its runs.
 */
export const seed = Number(process.env.SEED ?? 1);
