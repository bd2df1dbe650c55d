/** Whether text can be stored: PostgreSQL holds no NUL, and half a surrogate pair has no UTF-8. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
