import { formatCount, formatExactHours, many } from "../../ui/numbers/format.ts";

const people = (count: number) => many(count, "person", "people");
const options = (count: number) => many(count, "option", "options");
const agreement = (value: number) => `agreement ${formatExactHours(value)}`;

/** Texts of rounds: people estimate apart, then together. */
export const roundTexts = {
  together: "Estimate together",
  name: (number: number, title: string | null) =>
    title === null ? `Round ${formatCount(number)}` : `Round ${formatCount(number)}: ${title}`,
  pageTitle: (number: number, estimation: string) => `Round ${formatCount(number)} of ${estimation}`,
  statuses: { open: "Open", revealed: "Revealed", closed: "Closed" },
  people,
  agreement,
  agreementHint: "How far the 80% ranges overlap: from 0, not at all, to 1, the same range",
  closedUnseen: "This round was closed before the ranges were revealed.",
  refusals: {
    round_not_open: "The ranges were revealed, or the round was closed, before this was sent.",
    round_not_revealed: "The ranges of this round aren’t shown, or it was closed.",
    round_too_few: (needed: number) => `At least ${people(needed)} have to answer first.`,
    round_answer_missing: "You were asked too: answer or skip every option first.",
    round_agreed: "People agree about every option that is still there.",
    round_option_changed:
      "An option was changed or deleted after the round was opened, so nothing was adopted. Open another round of it.",
  },

  list: {
    title: "Rounds",
    none: "No rounds yet. In one, several people estimate apart, then see each other’s ranges.",
    noneReader: "No rounds yet.",
    counted: (count: number) => many(count, "round", "rounds"),
    answered: (answered: number, all: number) => `${formatCount(answered)} of ${formatCount(all)}`,
    columns: {
      title: "Estimation",
      round: "Round",
      status: "Status",
      answered: "Answered",
      deadline: "Until",
      since: "Since",
    },
  },

  open: {
    intro: "Everyone estimates apart. The ranges show once all are in.",
    options: "What to estimate",
    filter: "Filter options",
    drivers: "Most uncertain",
    ofUncertainty: (share: string) => `${share} of the uncertainty`,
    all: "All",
    none: "None",
    chosen: (count: number) => `${options(count)} chosen`,
    noneInTree: "Add options first: there’s nothing to estimate yet.",
    noOptions: "No matches.",
    people: "Who estimates",
    me: (name: string) => `${name} (you)`,
    otherPerson: "Someone else",
    otherHint: "Name or e-mail address. Who can’t see the estimation yet can view it then.",
    add: "Add",
    remove: (name: string) => `Remove ${name}`,
    refused: (who: string, why: string) => `${who}: ${why}`,
    deadline: "Until (optional)",
    deadlineHint: "The ranges show then at the latest",
    pastDeadline: "Choose a time within the next year",
    title: "Title (optional)",
    titleHint: "Such as what it is about",
    anonymous: "Anonymous",
    anonymousHint: "Nobody ever sees whose a range is, not even you.",
    stale: "Someone else changed the estimation in the meantime. Check what you chose, then ask again.",
    tooFew: (least: number) => `Choose at least ${people(least)}.`,
    tooMany: (most: number) => `Choose at most ${options(most)}.`,
    ask: (count: number) => (count === 0 ? "Ask" : `Ask ${people(count)}`),
  },

  head: {
    anonymous: "anonymous",
    by: (name: string) => `Opened by ${name}`,
    byYou: "Opened by you",
    answered: (answered: number, all: number) => `${formatCount(answered)} of ${people(all)} answered`,
    until: "until",
    reveal: "Reveal",
    close: "Close round",
    again: (count: number) => `Another round of ${options(count)}`,
    menu: "Actions for the round",
    steps: {
      reveal: {
        title: "Reveal the ranges?",
        text: (missing: number) =>
          missing === 0
            ? "Everyone sees all ranges. Nobody can change theirs any more."
            : `${people(missing)} ${missing === 1 ? "hasn’t" : "haven’t"} answered yet. Everyone sees all ranges. Nobody can change theirs any more.`,
        action: "Reveal",
      },
      close: {
        title: "Close this round?",
        text: (isOpen: boolean) =>
          isOpen
            ? "Nobody ever sees the ranges: they are deleted."
            : "The ranges stay. Nothing can be adopted any more.",
        action: "Close",
      },
      again: {
        title: "Open another round?",
        text: (count: number, all: number) =>
          `The same ${people(all)} are asked again, about ${count === 1 ? "the option" : `the ${options(count)}`} they disagree on.`,
        action: "Open round",
      },
    },
  },

  answer: {
    title: "Your estimate",
    progress: (at: number, all: number) => `${formatCount(at)} of ${formatCount(all)}`,
    previous: "Previous option",
    previousKey: "Alt+↑",
    next: "Next option",
    nextKey: "Alt+↓",
    each: (quantity: string, unit: string | null) => `× ${quantity}${unit === null ? "" : ` ${unit}`}`,
    range: "Low, likely and high hours",
    rangeOfOne: "Low, likely and high hours of one",
    rangePlaceholder: "4-16-34",
    rangeHint: "Such as 4-16-34 or 2d-1w",
    meaning: (low: string, high: string) => `In 8 of 10 cases from ${low} to ${high} h`,
    why: "Why (optional)",
    whyPlaceholder: "What you assume, what could go wrong",
    save: "Save",
    saveKey: "Enter",
    skip: "I can’t judge this",
    skipKey: "? Enter",
    keys: "Enter: save and go on · ?: can’t judge this · ↑ ↓: other options",
    keySheet: [
      ["Enter", "Save the range, go on to the next option"],
      ["Ctrl+Enter", "The same from the field for why"],
      ["? Enter", "Can’t judge this"],
      ["↑, ↓, Alt+↑, Alt+↓", "Other options"],
    ],
    unreadable: "Enter hours such as 4-16-34 or 2d-1w",
    oneNumber: (hours: string) => `Enter a range, such as 4-16-34. For ${hours} h exactly: ${hours}-${hours}-${hours}`,
    own: (range: string) => `Saved: ${range} h`,
    skipped: "Saved: you can’t judge this",
    unsent: "Not sent yet",
    offline: "No connection. Your estimates are kept in this browser and sent later.",
    later: "Not sent yet. Your estimates are kept in this browser and sent later.",
    notSent: (option: string, range: string) => `Not sent: ${option} ${range}.`,
    quoted: (text: string) => `“${text}”`,
    change: "Change",
    drop: "Discard",
    tree: "Options to estimate",
  },

  waiting: {
    label: "Waiting for the others",
    done: "You’re done",
    sending: "Not everything is sent yet",
    typed: "Not everything is saved",
    typedFor: "Typed and not saved:",
    notAsked: "People are estimating",
    allIn: "Everyone has answered.",
    answered: (answered: number, all: number) => `${formatCount(answered)} of ${people(all)} answered.`,
    next: "The ranges show here once all are in.",
    soon: "The ranges show here in a moment.",
    readers: "The ranges show here once they’re revealed.",
    people: "Who is asked",
    invited: (count: number) => `${people(count)} ${count === 1 ? "hasn’t" : "haven’t"} accepted the invitation yet.`,
    change: "Change my estimates",
  },

  reveal: {
    order: "Least agreement first.",
    bars: "Line: low to high. Box: 8 of 10 cases. Dot: likely.",
    columns: { who: "Who", scale: "Range", range: "Low–likely–high", why: "Why", adopt: "Adopt" },
    askFirst: "To be asked first",
    ask: (name: string | null, range: string) =>
      name === null ? `You said ${range} h: what made you say so?` : `${name}, what made you say ${range} h?`,
    askUnnamed: (range: string) => `Whoever said ${range} h: what made you say so?`,
    you: (name: string) => `${name} (you)`,
    unnamed: (at: number) => `Estimate ${formatCount(at)}`,
    pool: "Pool",
    poolHint: "All ranges together, each counting the same",
    median: "Median",
    medianHint: "The middle one of all lows, of all likely hours and of all highs",
    before: "Before",
    nobody: "Nobody estimated it.",
    tooFew: (count: number) => `Only ${people(count)} estimated it: too few to show.`,
    cannotJudge: (count: number) => `${people(count)} can’t judge it.`,
    adopt: "Adopt",
    adoptLong: (what: string, option: string) => `Adopt ${what} for ${option}`,
    adopted: "Adopted",
    adoptAll: (count: number) => `Adopt the pool for ${options(count)}`,
    adoptedFor: (count: number) => `Adopted for ${options(count)}.`,
    undo: "Undo",
    undone: "Undone.",
    locked: "The estimation is submitted. Reopen it to adopt hours.",
  },

  origin: {
    from: "Adopted from",
    round: (number: number) => `round ${formatCount(number)}`,
    facts: (count: number, value: number | null) =>
      value === null ? `: ${people(count)}` : `: ${people(count)}, ${agreement(value)}`,
  },
} as const;
