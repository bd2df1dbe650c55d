/** Texts of the files that an estimation is downloaded as. */
export const downloadTexts = {
  title: "Download",
  formats: {
    json: "JSON",
    csv: "CSV",
    csvInGerman: "CSV for Excel in German",
    markdown: "Markdown",
    xlsx: "Excel (.xlsx)",
  },
  print: "Print or save as PDF",
  printKeys: "Ctrl+P",
} as const;
