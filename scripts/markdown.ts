const cell = (value: string | number): string => String(value).replaceAll("|", "\\|");

/** Returns a table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Returns a generated page; `source` says from what. */
export const generatedPage = (title: string, source: string, ...parts: string[]): string =>
  `${[`# ${title}`, `Generated from ${source} by \`npm run generate\`.`, ...parts].join("\n\n")}\n`;
