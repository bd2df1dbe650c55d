import type { importExport } from "../../../contract/endpoints/import-export.ts";
import { defaultSettings } from "../../../domain/timeline/settings.ts";
import type { Content } from "../../../domain/transfer/content.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { plantTree } from "../../../domain/tree/import-tree.ts";
import type { Handlers } from "../../http/handler.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import {
  loadTimeline,
  makeEstimation,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
  type ShareNew,
} from "../estimations/index.ts";
import { presentSheet } from "./present-sheet.ts";
import { createFileReader } from "./read-file.ts";

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

const FORMATS = {
  json: { type: "application/json", extension: "json" },
  csv: { type: "text/csv", extension: "csv" },
  markdown: { type: "text/markdown", extension: "md" },
  xlsx: { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", extension: "xlsx" },
} as const;

/** How many times as long a workbook takes as another file of the same content. */
const WORKBOOK = 4;

/** What an item of a tree takes, about. */
const ITEM_BYTES = 200;

/** Saving estimations as files, and making them from files. */
export function importExportRoutes(
  services: Services,
  shareNew: ShareNew,
): Handlers<typeof importExport, ReadableEstimation> {
  const files = createFileReader(services);
  return {
    async exportEstimation({ estimation, query, db, now }) {
      const format = query.format ?? "json";
      const { type, extension } = FORMATS[format];
      const name = fileNameFor(estimation.title, extension);
      const bytes = aboutBytes(estimation.tree.nodes);
      const content = await inTurn(bytes, () => JSON.stringify(contentOf(estimation)));
      const { revision } = estimation;
      if (format === "xlsx") {
        const { timeline } = await loadTimeline(db, estimation.id);
        const { hoursPerDay } = timeline ?? defaultSettings;
        const about = { revision, exportedAt: now.toISOString(), hoursPerDay };
        const file = await services.compute.run("exportWorkbook", { content, about }, WORKBOOK * bytes);
        return { file: { name, type, bytes: file }, revision };
      }
      const csv = { separator: query.separator ?? ",", decimal: query.decimal ?? "." };
      const text = await services.compute.run("exportFile", { format, content, csv }, bytes);
      return { file: { name, type, text }, revision };
    },

    async importEstimation(call) {
      const { actor, body, db, now } = call;
      const { incoming, taken } = await files.read(body);
      const { estimation: fields, checked } = incoming;
      const plant = (newId: Parameters<typeof plantTree>[1]) => plantTree(checked, newId);
      const row = await makeEstimation(db, services, {
        ...{ ownerId: actor.userId, fields, plant, shareNew, now },
        treeBytes: aboutBytes(checked.nodes),
      });
      await recordActivity({ ...call, estimation: row }, "estimation.imported");
      const { lines, skipped, noted } = taken;
      const data = { estimation: presentEstimation(row), import: { lines, skipped: [...skipped], noted: [...noted] } };
      return { data, revision: row.revision };
    },

    async previewImport({ body }) {
      const file = await files.readSheet(body);
      const items = file.reading.outline.lines.length;
      return { data: { preview: await inTurn(items * ITEM_BYTES, () => presentSheet(file)) } };
    },
  };
}

/** An older record may have a rate without a currency, which says nothing and cannot be imported: it is left out. */
function contentOf(row: ReadableEstimation & Pick<Content, "tree">): Content {
  const { title, description, assumptions, clientName, tags, hourlyRate, currency, correlation, rounding, tree } = row;
  const rate = currency === null ? null : hourlyRate;
  const texts = { title, description, assumptions, clientName, tags };
  return { ...texts, hourlyRate: rate, currency, correlation, rounding, tree };
}
