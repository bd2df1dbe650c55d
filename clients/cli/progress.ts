import { clearLine, cursorTo } from "node:readline";
import { cut } from "./screen/text.ts";

/**
 * Returns a function that shows a line on the standard error output in place of the one before, and removes it for null. It does nothing where
 * that is no terminal.
 */
export function progressLine(output: NodeJS.WriteStream = process.stderr): (line: string | null) => void {
  let isShown = false;
  return (line) => {
    if (!output.isTTY || (line === null && !isShown)) return;
    cursorTo(output, 0);
    clearLine(output, 0);
    if (line !== null) output.write(cut(line, (output.columns ?? 80) - 1));
    isShown = line !== null;
  };
}
