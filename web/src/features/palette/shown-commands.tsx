import { use } from "react";
import { ApplicationPalette } from "./application-palette.tsx";
import type { Commands, Shown } from "./commands.ts";
import { KeySheet } from "./key-sheet.tsx";

interface ShownCommandsProps {
  readonly what: Shown;
  readonly loaded: Promise<readonly Commands[]>;
  readonly onClose: () => void;
}

/** The palette, or the list of keys, once the commands of the page are loaded. */
export function ShownCommands({ what, loaded, onClose }: ShownCommandsProps) {
  const parts = use(loaded);
  const Shown = what === "palette" ? ApplicationPalette : KeySheet;
  return <Shown parts={parts} onClose={onClose} />;
}
