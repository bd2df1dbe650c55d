import { formatCount } from "../../ui/numbers/format.ts";

/** Texts of the palette and of the list of keys, which are loaded when they are asked for. */
export const paletteTexts = {
  title: "Search and commands",
  placeholder: "Search, or run a command",
  nothing: "No matches",
  searching: "Searching…",
  found: (count: number) => `${formatCount(count)} found`,
  command: "Command",
  groups: { recent: "Used last", page: "On this page", everywhere: "Everywhere" },
  page: "Page",
  estimation: "Estimation",
  template: "Template",
  person: "Person",
  templates: "Templates",
  trash: "Trash",
  newEstimation: "New estimation",
  theme: (name: string) => `Theme: ${name}`,
  keys: "Keyboard shortcuts",
  keysOfAll: [
    ["Ctrl+K", "Go anywhere, run any command"],
    ["/", "Search this page"],
    ["?", "This list"],
  ],
  singleKeys: "Single-key shortcuts, such as ?, / and typing into a cell. Saved in this browser",
  glossary: "What do question, option, range and confidence mean?",
} as const;
