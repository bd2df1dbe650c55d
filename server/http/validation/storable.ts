/** Returns whether text can be stored: PostgreSQL cannot store NUL, and UTF-8 cannot encode half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
