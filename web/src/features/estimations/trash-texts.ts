import { many } from "../../ui/numbers/format.ts";

/** Texts of the trash, which few open: they are loaded with it. */
export const trashTexts = {
  title: "Trash",
  text: (days: number) =>
    `Deleted estimations can be restored for ${many(days, "day", "days")}, then they’re gone for good.`,
  empty: "Trash is empty.",
  restore: "Restore",
  restored: (title: string) => `“${title}” restored.`,
  open: "Open",
  deleted: "Deleted",
} as const;
