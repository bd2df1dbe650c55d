/** How many times longer than usual tests wait before they fail; `npm run test:repeat` sets it, as it makes the machine busy. */
const patience = Number(process.env.PATIENCE ?? 1);

/** Returns how long a test may wait, in milliseconds, for something that takes at most `ms` unless it hangs. */
export const patient = (ms: number): number => ms * patience;
