/** Longest name in code points, without its extension: file systems take 255 bytes, and a code point takes up to four. */
const NAME_LENGTH = 60;

/** What a file name must not contain on some system: control characters, directions of writing, and separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*%]+/gu;

/** Names of devices, which Windows accepts with no extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Returns a name for a file about what has this title: on every system, whatever the title. */
export function fileNameFor(title: string, extension: string): string {
  const words = title.replace(UNSAFE, " ").replace(/\s+/g, " ");
  const name = Array.from(words)
    .slice(0, NAME_LENGTH)
    .join("")
    .replace(/^[. ]+|[. ]+$/g, "");
  return `${name === "" || DEVICE.test(name) ? `estimation ${name}`.trim() : name}.${extension}`;
}
