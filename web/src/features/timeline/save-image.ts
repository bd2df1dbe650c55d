import { formatDay } from "../../ui/numbers/format.ts";
import { saveFile } from "../downloads/save-file.ts";
import type { Layout } from "./layout.ts";
import { arrowPath, type Row, type RowLink, sidesOf } from "./rows.ts";
import { dateOfDay } from "./scale.ts";

/** What an image shows. */
export interface Pictured {
  readonly layout: Layout;
  readonly rows: readonly Row[];
  readonly links: readonly RowLink[];
  readonly title: string;
}

const ROW = 24;
const NAMES = 300;
const TOP = 92;
/** A canvas of more pixels on a side stays empty in some browsers. */
const CANVAS_MOST = 16_000;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\p{Cc}]/gu, " ");

/** Returns the whole timeline as a picture on white, with all its lines, that needs nothing else to be shown. */
function timelineSvg({ layout, rows, links, title }: Pictured): string {
  const { width, axis, off, bars, baseline, marks, today, xOfDay } = layout;
  const [right, bottom] = [NAMES + width, TOP + rows.length * ROW + 8];
  const x = (at: number) => Math.round((NAMES + at) * 10) / 10;
  const y = (row: Row) => TOP + row.at * ROW;
  const text = (at: number, top: number, words: string, more = "") =>
    `<text x="${at}" y="${top}" ${more}>${escaped(words)}</text>`;
  const rect = (left: number, top: number, wide: number, high: number, fill: string) =>
    `<rect x="${left}" y="${top}" width="${Math.max(0, wide)}" height="${high}" fill="${fill}"/>`;
  const line = (d: string, stroke: string, more = "") => `<path d="${d}" stroke="${stroke}" fill="none" ${more}/>`;
  const cut = (words: string) => (words.length > 44 ? `${words.slice(0, 43)}…` : words);
  const parts = [
    rect(0, 0, right, bottom, "#ffffff"),
    text(12, 24, title, 'font-size="16" font-weight="600"'),
    ...off.map((span) => rect(x(span.left), TOP, span.right - span.left, bottom - TOP, "#f3f4f6")),
    ...axis.large.map(({ day, label }) => text(x(xOfDay(day)) + 4, 48, label, 'font-weight="600"')),
    ...axis.small.flatMap(({ day, label }) => [
      line(`M${x(xOfDay(day))} 54V${TOP}`, "#e2e5ea"),
      text(x(xOfDay(day)) + 3, 66, label, 'fill="#545b65"'),
    ]),
    ...marks.flatMap(({ milestone, day }) => {
      const at = x(xOfDay(day + 1));
      const likely = milestone.forecast ? ` · ${Math.round(milestone.forecast.probability * 100)} %` : "";
      const words = `${milestone.title} · ${formatDay(dateOfDay(day))}${likely}`;
      return [
        line(`M${at} 84V${bottom}`, "#8a5300", 'stroke-dasharray="4 3"'),
        `<path d="M${at} 76l6 6-6 6-6-6Z" fill="#8a5300"/>`,
        text(at + 9, 86, words, 'fill="#8a5300"'),
      ];
    }),
    ...rows.flatMap((row) => {
      const bar = bars.get(row.id);
      const before = baseline.get(row.id);
      const name = text(12 + row.depth * 14, y(row) + 16, cut(row.title), row.isGroup ? 'font-weight="600"' : "");
      if (!bar) return [name];
      const fill = row.isGroup ? "#545b65" : row.isDone ? "#a6adb7" : row.isCritical ? "#c01f1f" : "#3b5bdb";
      return [
        name,
        ...(before ? [rect(x(before.left), y(row) + 19, before.right - before.left, 3, "#a6adb7")] : []),
        rect(x(bar.left), y(row) + (row.isGroup ? 9 : 5), bar.right - bar.left, row.isGroup ? 5 : 12, fill),
      ];
    }),
    ...links.flatMap(({ from, to, dependency: { type } }) => {
      const [a, b, sides] = [bars.get(from.id), bars.get(to.id), sidesOf(type)];
      if (!a || !b) return [];
      const begin = [x(sides.out === 1 ? a.right : a.left), y(from) + 11] as const;
      const end = [x(sides.into === 1 ? b.left : b.right), y(to) + 11] as const;
      return line(arrowPath(begin, end, sides), "#69717c");
    }),
    ...(today > 0 && today < width ? [line(`M${x(today)} ${TOP - 20}V${bottom}`, "#1f7a3d")] : []),
  ];
  const size = `width="${right}" height="${bottom}" viewBox="0 0 ${right} ${bottom}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" font-size="12" fill="#1b1e23">${parts.join("")}</svg>`;
}

/** Saves the timeline as a file. */
export async function saveImage(pictured: Pictured, kind: "svg" | "png"): Promise<void> {
  const svg = timelineSvg(pictured);
  const blob = kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await pngOf(svg);
  const name = pictured.title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "timeline";
  saveFile(blob, `${name}.${kind}`);
}

/** Draws it at twice its size, less where it is very large. */
async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, CANVAS_MOST / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(image.width * scale);
  canvas.height = Math.floor(image.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the image is too large"))), "image/png"),
  );
}
