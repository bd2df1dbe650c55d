/** The distinct words of a text, as 32-bit hashes in rising order, with 1 + ln(how often each occurs). */
export interface Words {
  readonly hashes: Int32Array;
  readonly weights: Float32Array;
  /** Words of the title and of the description, repetitions included, without the most common words of English. */
  readonly titleLength: number;
  readonly descriptionLength: number;
}

/** Words of a description that count; later ones are not read, which bounds time and memory. */
const DESCRIPTION_WORDS = 400;
/** Letters of a word that are told apart. */
const WORD_LENGTH = 40;
/** A word of the title counts as often as so many of the description. */
const TITLE_WEIGHT = 2;

const COMMON = "a an the of to in for on and or is are be as it this that with by from at we i";

const [OTHER, LOWER, UPPER, DIGIT, ALONE] = [1, 2, 3, 4, 5] as const;

/** The kind of each UTF-16 unit; 0: not looked up yet. */
const kinds = new Uint8Array(65_536);

function kindOf(unit: number): number {
  const known = kinds[unit] as number;
  if (known !== 0) return known;
  const character = String.fromCharCode(unit);
  let kind: number = OTHER;
  if (/\p{N}/u.test(character)) kind = DIGIT;
  // In these scripts no space divides words: each character counts as one.
  else if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character)) kind = ALONE;
  else if (/[\p{Lu}\p{Lt}]/u.test(character)) kind = UPPER;
  else if (/[\p{L}\p{M}]/u.test(character)) kind = LOWER;
  kinds[unit] = kind;
  return kind;
}

const word = new Uint16Array(WORD_LENGTH);

/** Returns the hash (FNV-1a) of the first `length` units of `word`. */
function hashOf(length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (word[at] as number), 0x01000193);
  return hash | 0;
}

const [LETTER_D, LETTER_E, LETTER_G, LETTER_I, LETTER_N, LETTER_S] = [..."degins"].map((letter) =>
  letter.charCodeAt(0),
) as [number, number, number, number, number, number];

/** Returns the length of a word of letters without an English ending (-ing, -ed, -es, -s), if three letters remain. */
function stemLength(length: number): number {
  const [last, before, third] = [word[length - 1], word[length - 2], word[length - 3]];
  if (length >= 6 && last === LETTER_G && before === LETTER_N && third === LETTER_I) return length - 3;
  if (length >= 5 && before === LETTER_E && (last === LETTER_D || last === LETTER_S)) return length - 2;
  return length >= 4 && last === LETTER_S ? length - 1 : length;
}

/** Calls `visit` with the hash of each word, at most `most` times; a change from lower to upper case divides words. */
function eachWord(text: string, most: number, visit: (hash: number) => void): number {
  let visited = 0;
  let length = 0;
  let previous: number = OTHER;
  const end = () => {
    const isNumber = previous === DIGIT;
    const hash = length === 0 || (length === 1 && !isNumber) ? null : hashOf(isNumber ? length : stemLength(length));
    length = 0;
    if (hash === null || common.has(hash)) return;
    visited += 1;
    visit(hash);
  };
  for (let at = 0; at < text.length && visited < most; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    const continues =
      kind === LOWER ? previous === LOWER || previous === UPPER : kind === previous && kind !== ALONE && kind !== OTHER;
    if (!continues) end();
    if (kind === ALONE) {
      word[0] = unit;
      visited += 1;
      visit(hashOf(1));
    } else if (kind !== OTHER && length < WORD_LENGTH) {
      word[length] = kind === UPPER ? lowerCaseOf(unit) : unit;
      length += 1;
    }
    previous = kind;
  }
  if (visited < most) end();
  return visited;
}

const lowerCaseOf = (unit: number): number =>
  unit < 128 ? unit | 32 : String.fromCharCode(unit).toLowerCase().charCodeAt(0);

const common = new Set<number>();
const commonHashes: number[] = [];
for (const text of COMMON.split(" ")) eachWord(text, 1, (hash) => commonHashes.push(hash));
for (const hash of commonHashes) common.add(hash);

/** Returns the words of a piece of work; those of its title count double, and so does each pair of neighbours in it. */
export function wordsOf(title: string, description: string): Words {
  const found: number[] = [];
  let last: number | null = null;
  const titleLength = eachWord(title, DESCRIPTION_WORDS, (hash) => {
    for (let time = 0; time < TITLE_WEIGHT; time += 1) found.push(hash);
    if (last !== null) found.push((Math.imul(last, 31) + hash) | 0);
    last = hash;
  });
  const descriptionLength = eachWord(description, DESCRIPTION_WORDS, (hash) => found.push(hash));
  const sorted = Int32Array.from(found).sort();
  const hashes = new Int32Array(sorted.length);
  const weights = new Float32Array(sorted.length);
  let size = 0;
  for (let at = 0; at < sorted.length; ) {
    const start = at;
    while (at < sorted.length && sorted[at] === sorted[start]) at += 1;
    hashes[size] = sorted[start] as number;
    weights[size] = 1 + Math.log(at - start);
    size += 1;
  }
  return { hashes: hashes.slice(0, size), weights: weights.slice(0, size), titleLength, descriptionLength };
}
