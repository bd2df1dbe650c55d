/** The texts of the field that names a person. */
export const userTexts = {
  nobody: (written: string) => `No one found by “${written}”. Enter the e-mail address.`,
  several: (written: string) => `Who is “${written}”?`,
} as const;
