import { formatExactHours } from "../../ui/numbers/format.ts";

/** Texts of the page that explains the words of the application. */
export const glossaryTexts = {
  title: "Glossary",
  intro: "The words you meet while estimating.",
  terms: [
    [
      "question",
      "Question",
      "Something to decide about the work, such as “How do customers pay?”. With “choose one” exactly one option counts, with “choose any” every option you choose does, and with “all included” there is nothing to choose: all its options count.",
    ],
    [
      "option",
      "Option",
      "An answer to a question, with the hours it takes. It can have questions of its own. An option counts if it is chosen and everything above it counts.",
    ],
    [
      "range",
      "Range",
      "The hours of an option: Low if everything goes well, Likely if it goes as usual, High if much goes wrong. Type all three at once, such as 4-16-34, 4/16/34 or 4 16 34; 2d is two days of 8 hours, 1w a week of 40.",
    ],
    [
      "expected",
      "Expected hours",
      "The average of a range if the work were done many times. Expected hours of options add up; ranges and percentiles don’t.",
    ],
    [
      "confidence",
      "Confidence (P50, P80, P90, P95)",
      "How likely the work takes no longer than the number says. P80 is 80% likely: in 8 of 10 cases the work is done within it, in 2 it takes longer. P50 is as likely to be too low as too high.",
    ],
    ["if-chosen", "If chosen", "How P80 changes if you choose an option that isn’t chosen now."],
    [
      "quantity",
      "Quantity",
      "How often the work is done, such as 9 screens. It multiplies the hours of the option and of everything below it.",
    ],
    ["override", "Override hours", "Other hours for this estimation, beside those of the template it came from."],
    [
      "delays",
      "Delays that affect several tasks",
      `How much one cause makes several tasks late at once, from 0 to 1; ${formatExactHours(0.2)} is usual. The higher it is, the less good and bad luck cancel out, and the wider the total.`,
    ],
    [
      "review",
      "Review",
      "Someone else looks at one version of the estimation and approves it or requests changes. Submitting is separate: it locks the estimation.",
    ],
    [
      "task",
      "Task",
      "What is left to do: one for each option that counts, with its expected hours, to be exported to a tracker.",
    ],
  ],
  numbersTitle: "Numbers and dates",
  numbers: (decimal: string, thousands: string) =>
    `This page writes ${decimal} and ${thousands}, and reads them back the same way. What can be read in two ways, or is pasted from elsewhere, is asked about.`,
  numbersLink: "Change how numbers are written",
} as const;
