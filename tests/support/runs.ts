/** How many random cases a property is tried with: `most` in `npm run test:all`, a fifth of them in `npm test`. */
export const runs = (most: number): number => (process.env.ALL_CASES ? most : Math.ceil(most / 5));
