import type { Plugin } from "vite";

/** The widths at which pages change, as styles name them: `@media (--to-s)`, and `@media not (--to-s)` for wider windows. */
const breakpoints: Readonly<Record<string, string>> = {
  "--to-xs": "(max-width: 620px)",
  "--to-s": "(max-width: 720px)",
  "--to-m": "(max-width: 860px)",
  "--to-l": "(max-width: 1100px)",
};

/** Puts the widths where styles name them: browsers know variables only in values. */
export const insertBreakpoints: Plugin = {
  name: "breakpoints",
  enforce: "pre",
  transform: {
    filter: { id: /\.css$/ },
    handler(code, id) {
      return code.replace(/\((--[a-z-]+)\)(?=[^;{}]*\{)/g, (_, name: string) => {
        return breakpoints[name] ?? this.error(`${id} names a width that web/breakpoints.ts does not have: ${name}`);
      });
    },
  },
};
