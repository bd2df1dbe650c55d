import { styleText } from "node:util";

/** Colours on a terminal only; `NO_COLOR` switches them off, as `styleText` reads it. */
export const styled =
  (format: Parameters<typeof styleText>[0], stream: NodeJS.WriteStream = process.stdout) =>
  (text: string) =>
    styleText(format, text, { stream });

export const bold = styled("bold");
export const dim = styled("dim");
export const green = styled("green");
export const red = styled("red");
export const yellow = styled("yellow");

const WIDEST = 120;
const NARROWEST = 40;

/** How many columns there are: those of the terminal, as far as lines can be read with ease; elsewhere 80. */
export const columns = (): number => Math.min(WIDEST, Math.max(NARROWEST, process.stdout.columns ?? 80));
