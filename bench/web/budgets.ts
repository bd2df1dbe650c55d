/** A figure of the web application and its limit. */
export type Budget = { readonly what: string; readonly unit: string } & (
  | { readonly most: number }
  | { readonly least: number }
);

export const isKept = (budget: Budget, figure: number): boolean =>
  "most" in budget ? figure <= budget.most : figure >= budget.least;

/**
 * The budgets of the web application. Times and rates are those of a quiet machine. Ratios are to an empty page's in the same
 * run, the least of several each: they tell a slow application from a busy machine. So does processor time, unlike frames.
 */
export const BUDGETS = {
  signInScripts: { what: "JavaScript at first, sign-in (gzip)", unit: "KB", most: 160 },
  signInStyles: { what: "styles at first, sign-in (gzip)", unit: "KB", most: 30 },
  editorScripts: { what: "JavaScript at first, editor (gzip)", unit: "KB", most: 200 },
  editorStyles: { what: "styles at first, editor (gzip)", unit: "KB", most: 30 },
  map: { what: "JavaScript of the map (gzip)", unit: "KB", most: 65 },
  signInPaint: { what: "largest paint, sign-in, slow, the worst run", unit: "s", most: 2 },
  editorPaint: { what: "largest paint, editor, slow, the worst run", unit: "s", most: 2.5 },
  signInText: { what: "something to read, sign-in, very slow network", unit: "s", most: 2 },
  editorText: { what: "something to read, editor, very slow network", unit: "s", most: 2 },
  signInFirstPaintRatio: { what: "first paint, sign-in, slow", unit: "×", most: 3 },
  editorFirstPaintRatio: { what: "first paint, editor, slow", unit: "×", most: 4 },
  interaction: { what: "slowest interaction, 1,000 nodes, slow processor", unit: "ms", most: 100 },
  keysRatio: { what: "processor time of keys and clicks, 1,000 nodes", unit: "×", most: 8 },
  frames: { what: "frames while a tree is scrolled", unit: "/s", least: 58 },
  slowFrames: { what: "frames while a tree is scrolled, slow processor", unit: "/s", least: 50 },
  reviewFrames: { what: "frames while a review of 1,000 nodes is scrolled, slow processor", unit: "/s", least: 50 },
  timelineFrames: { what: "frames while a timeline of 1,000 tasks is scrolled, slow processor", unit: "/s", least: 50 },
  scrollRatio: { what: "processor time while a tree is scrolled", unit: "×", most: 5 },
  shift: { what: "layout shift, the worst of all", unit: "", most: 0.02 },
  elsewhere: { what: "requests to other origins", unit: "", most: 0 },
  breaches: { what: "breaches of the policy", unit: "", most: 0 },
} as const satisfies Readonly<Record<string, Budget>>;

/** Those of every other page, by its name. */
export const pageBudgets = {
  scripts: (name: string): Budget => ({
    what: `JavaScript at first, ${name}, beyond sign-in (gzip)`,
    unit: "KB",
    most: 60,
  }),
  paint: (name: string): Budget => ({ what: `largest paint, ${name}, slow, the worst run`, unit: "s", most: 2.5 }),
};
