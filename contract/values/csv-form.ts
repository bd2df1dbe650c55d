/** What may stand between the cells of a CSV file. */
export const csvSeparators = [",", ";", "\t"] as const;
/** What numbers of a CSV file may have before their decimals. */
export const csvDecimals = [".", ","] as const;

/** How a CSV file is written. */
export interface CsvForm {
  readonly separator: (typeof csvSeparators)[number];
  readonly decimal: (typeof csvDecimals)[number];
}
