/** Yields the lines of a text, which end with `\n`, `\r\n` or `\r`, one after the other: a list of all could be very long. */
export function* eachLine(text: string): Generator<string> {
  let feed = text.indexOf("\n");
  let carriage = text.indexOf("\r");
  for (let start = 0; ; ) {
    const end = feed < 0 || (carriage >= 0 && carriage < feed) ? carriage : feed;
    if (end < 0) {
      yield text.slice(start);
      return;
    }
    yield text.slice(start, end);
    start = end === carriage && feed === end + 1 ? end + 2 : end + 1;
    if (feed >= 0 && feed < start) feed = text.indexOf("\n", start);
    if (carriage >= 0 && carriage < start) carriage = text.indexOf("\r", start);
  }
}
