import { formatCount } from "../../ui/numbers/format.ts";

const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** Returns a number of bytes in the largest unit of which there is at least one, rounded. */
export function formatBytes(bytes: number): string {
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatCount(Math.round(value))} ${UNITS[unit]}`;
}
