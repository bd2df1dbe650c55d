import { describe, expect, test } from "vitest";
import { numbersOf, readLine, unreadText } from "./read-line.ts";

const point = numbersOf(".");
const of = (written: string, numbers = point) => {
  const { title, words, unread, note } = readLine(written, numbers);
  const points = (name: "hours" | "override") => words?.[name] && Object.values(words[name]).join("-");
  const text = [points("hours"), words?.override && `=${points("override")}`, words?.quantity && `x${words.quantity}`];
  const rest = [...text, words?.unit && `(${words.unit})`, words?.role && `@${words.role}`].filter(Boolean).join(" ");
  return unread ? `refused: ${unread.fault}` : `${title}${rest === "" ? "" : ` | ${rest}`}${note ? " !" : ""}`;
};

describe("a line", () => {
  test.each([
    ["Card: 4-16-34", "Card | 4-16-34"],
    ["Card: 3-5d", "Card | 24-32-40"],
    ["Card: 1-2-6d", "Card | 8-16-48"],
    ["Card: 2-3 d", "Card | 16-20-24"],
    ["Card: 4h-2d", "Card | 4-10-16"],
    ["Card: 2d-1w", "Card | 16-28-40"],
    ["Card: 1d 12h", "Card | 20-20-20"],
    ["Card: 1w 5d", "Card | 80-80-80"],
    ["Card: 2h30min", "Card | 2.5-2.5-2.5"],
    ["Card: 1d 4h - 2d 4h", "Card | 12-16-20"],
    ["Card: 1d 2d 1w", "Card | 8-16-40"],
    ["Card: 2:30", "Card | 2.5-2.5-2.5"],
    ["Card: 2:30-4:00 h", "Card | 2.5-3.25-4"],
    ["Card: PT4H", "Card | 4-4-4"],
    ["Card: PT1H30M", "Card | 1.5-1.5-1.5"],
    ["Card: 3 PT", "Card | 24-24-24"],
    ["Card: P2DT12H", "refused: isoDays"],
    ["Card: P1W", "refused: isoDays"],
    ["Card: 30m", "refused: months"],
    ["Card: 1 200", "refused: two"],
    ["Card: 4 16", "refused: two"],
    ["Card: 1/2", "refused: fraction"],
    ["Card: 4/16/34", "Card | 4-16-34"],
    ["Card: 4 16 34", "Card | 4-16-34"],
    ["Card:\t4\t16\t34", "Card | 4-16-34"],
    ["Card\t4\t16\t34", "Card | 4-16-34"],
    ["Card: 2d 1w", "refused: rising"],
    ["Card: 2h-3", "Card | 2-2.5-3"],
    ["Card: 2d-3", "refused: lastUnit"],
    ["Card: 1-2d-1w", "refused: lastUnit"],
    ["Card: .5", "Card | 0.5-0.5-0.5"],
    ["Card: ½", "Card | 0.5-0.5-0.5"],
    ["Card: 1 1/2", "Card | 1.5-1.5-1.5"],
    ["Card: 1½ d", "Card | 12-12-12"],
    ["Card: ~4h", "Card | 4-4-4"],
    ["Card: about 4 h?", "Card | 4-4-4"],
    ["Card: ca. 2 Tage", "Card | 16-16-16"],
    ["Card: 4 to 16 hours", "Card | 4-10-16"],
    ["Card: 4 bis 16 Std.", "Card | 4-10-16"],
    ["Card: 1,250", "refused: comma"],
    ["Card: 1,5", "refused: comma"],
    ["Card: 1.250", "refused: decimals"],
    ["Card: 4 blips", "refused: unit"],
    ["Card: 2 of 3", "refused: unit"],
    ["Card: 4-16-34-50", "refused: unreadable"],
    ["Card: -4", "Card: -4 !"],
    ["Card (4h)", "Card | 4-4-4"],
    ["Card (2-4 days)", "Card | 16-24-32"],
    ["Model (3D)", "Model (3D) !"],
    ["Card (4)", "Card (4) !"],
    ["Card: 4", "Card | 4-4-4"],
    ["Card：4", "Card | 4-4-4"],
    ["Card：4", "Card | 4-4-4"],
    ["Release 4.2", "Release 4.2"],
    ["Meeting at 10:30", "Meeting at 10:30"],
    ["Card – 4", "Card – 4 !"],
    ["Card:4", "Card:4 !"],
    ["Review 6 h", "Review 6 h !"],
    ["Fonts 2-4", "Fonts 2-4 !"],
    ["Step 2", "Step 2"],
    ["Phase: two screens", "Phase: two screens"],
    ["Phase: build 3 screens", "Phase: build 3 screens !"],
    ["Login: 4 : design", "Login: 4 : design !"],
    ["Mail: ask @anna first", "Mail: ask @anna first"],
    ["Card: @back end", "Card: @back end !"],
    ["Card: 4 @back end", "refused: role"],
    ['Card: 4 @"back end"', "Card | 4-4-4 @back end"],
    ["Card: =3-4-5 x9(screen) 4 @ux", "Card | 4-4-4 =3-4-5 x9 (screen) @ux"],
    ["Card: 4 x2 x3", "refused: twice"],
    ["Card\\: 4", "Card\\: 4"],
    ["Sizes: x-large", "Sizes: x-large"],
  ])("%s", (written, expected) => {
    expect(of(written)).toBe(expected);
  });

  test.each([
    ["Card: 1,5", "Card | 1.5-1.5-1.5"],
    ["Card: 1,5-3 Tage", "Card | 12-18-24"],
    ["Card: 1.5", "refused: point"],
    ["Card: 1.250", "refused: point"],
    ["Card: x1,5", "Card | x1.5"],
  ])("with a decimal comma: %s", (written, expected) => {
    expect(of(written, numbersOf(","))).toBe(expected);
  });

  test("that is refused says what to write", () => {
    const { unread } = readLine("Card: 30m", point);
    expect(unread && unreadText(unread)).toBe(
      "minutes to some programs, months to others: write min or h instead of m; if that belongs to the title, write \\: instead of :",
    );
  });
});
