import type { ComponentProps } from "react";
import { unableIf } from "./unable.ts";

/** What Mantine's buttons consist of that lead nowhere: one that keeps the focus while it is disabled or loading. */
export const KeptButton = ({ disabled = false, onClick, type = "button", ...others }: ComponentProps<"button">) => (
  <button {...others} type={type} {...unableIf(disabled, onClick)} />
);
