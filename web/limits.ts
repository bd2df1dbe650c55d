import type { Plugin } from "vite";
import { limits } from "../contract/limits.ts";

const values = new Map(Object.entries(limits));

/** Puts the limits where they are used, as numbers: otherwise every page would load the whole table, of which it needs few. */
export const insertLimits: Plugin = {
  name: "limits",
  transform: {
    filter: { id: /\.tsx?$/, code: /\/limits\.ts["']/ },
    handler: (code) =>
      code.replace(/(?<![\w.])limits\.(\w+)/g, (text, name: string) => String(values.get(name) ?? text)),
  },
};
