import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const style = readFileSync(new URL("../../web/src/ui/person.module.css", import.meta.url), "utf8");

type Triple = readonly [number, number, number];
/** Lightness and chroma of a colour, in one theme. */
type Tone = readonly [lightness: number, chroma: number];

/** Returns the tones of a property in the light and the dark theme. */
function tonesOf(property: string): Tone[] {
  const value = new RegExp(`\\n  ${property}: light-dark\\((.*)\\);`).exec(style)?.[1] ?? "";
  return [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) var\(--hue\)\)/g)].map(([, l, c]) => [Number(l), Number(c)]);
}

const mixed = (rows: readonly Triple[], [x, y, z]: Triple) => rows.map(([a, b, c]) => a * x + b * y + c * z);

/** Returns the relative luminance of a colour, and whether every screen can show it, by Björn Ottosson's matrices. */
function shown([lightness, chroma]: Tone, hue: number): { luminance: number; isInGamut: boolean } {
  const angle = (hue * Math.PI) / 180;
  const lab: Triple = [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const cones = mixed(
    [
      [1, 0.3963377774, 0.2158037573],
      [1, -0.1055613458, -0.0638541728],
      [1, -0.0894841775, -1.291485548],
    ],
    lab,
  ).map((cone) => cone ** 3);
  const [red = 0, green = 0, blue = 0] = mixed(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    cones as unknown as Triple,
  );
  return {
    luminance: 0.2126 * red + 0.7152 * green + 0.0722 * blue,
    isInGamut: [red, green, blue].every((part) => part >= -0.001 && part <= 1.001),
  };
}

test("initials of every hue stand out by 4.5 : 1 in both themes", () => {
  const [grounds, letters] = [tonesOf("background"), tonesOf("color")];
  expect([grounds.length, letters.length]).toEqual([2, 2]);
  expect(shown([1, 0], 0).luminance).toBeCloseTo(1);
  for (const [theme, ground] of grounds.entries()) {
    const hues = Array.from({ length: 360 }, (_, hue) => hue);
    const pairs = hues.map((hue) => [shown(ground, hue), shown(letters[theme] ?? ground, hue)] as const);
    const contrasts = pairs.map(([a, b]) => {
      const [low, high] = [a.luminance, b.luminance].toSorted((x, y) => x - y) as [number, number];
      return (high + 0.05) / (low + 0.05);
    });
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    // Others would be shown as their nearest colours, whose contrast is not computed here.
    expect(hues.filter((hue) => pairs[hue]?.some(({ isInGamut }) => !isInGamut))).toEqual([]);
  }
});
