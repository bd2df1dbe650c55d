/** What stands for a person, an address, or a link in a text that leaves the service. */
const [PERSON, ADDRESS, LINK] = ["[person]", "[address]", "[link]"];
/** Shorter parts of a name, such as initials, are left in: they are words of their own too often. */
const NAME_LENGTH_LEAST = 3;
const LINKS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+|\bmailto:\S+|\bwww\.\S+/gi;
const ADDRESSES = /[^\s<>"'(),;:[\]]+@[^\s<>"'(),;:[\]]+/g;
const MENTIONS = /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.-]+/gu;
/** Of telephones: nine digits or more with little between them. */
const NUMBERS = /(?<![\p{L}\p{N}])\+?\d(?:[ ()/.-]{0,2}\d){8,14}(?![\p{L}\p{N}])/gu;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts that write names without spaces around them. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/u;

/**
 * Returns a function that takes people out of a text: e-mail addresses, links, @-mentions and telephone numbers by their
 * form, and every word of `names` in any case. A name that is not among them cannot be told from another word.
 */
export function createScrubber(names: readonly string[]): (text: string) => string {
  const whole = names.map((name) => name.trim()).filter((name) => WITHOUT_SPACES.test(name));
  const words = new Set(
    names
      .flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u))
      .filter((word) => word.length >= NAME_LENGTH_LEAST && /\p{L}/u.test(word)),
  );
  return (text) =>
    whole
      .reduce((left, name) => left.replaceAll(name, PERSON), text)
      .replace(LINKS, LINK)
      .replace(ADDRESSES, ADDRESS)
      .replace(MENTIONS, PERSON)
      .replace(NUMBERS, ADDRESS)
      .replace(WORDS, (word) => (words.has(word.toLowerCase()) ? PERSON : word))
      .replace(/\[person\](?:[ .,'-]{1,2}\[person\])+/g, PERSON);
}

/** Returns the beginning of a text without people, at most `most` code points of it. */
export function scrubbedStart(text: string, most: number, scrub: (text: string) => string): string {
  // What is longer than an address is cut between words, so that half an address is not taken for a word.
  const start = text.length <= 2 * most ? text : text.slice(0, 2 * most).replace(/\S*$/u, "");
  return [...scrub(start)].slice(0, most).join("").trim();
}
