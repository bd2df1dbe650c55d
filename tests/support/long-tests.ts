/** Tests of `npm run test:all`: longer proofs, which people do not wait for while they work. */
export const LONG_TESTS: readonly string[] = ["tests/{faults,load,proxies}/**/*.test.ts"];
