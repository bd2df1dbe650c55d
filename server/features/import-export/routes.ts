import type { importExport } from "../../../contract/endpoints/import-export.ts";
import type { Content } from "../../../domain/transfer/content.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { plantTree } from "../../../domain/tree/import-tree.ts";
import type { Handlers } from "../../http/handler.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { makeEstimation, presentEstimation, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
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
} as const;

/** Saving estimations as files, and making them from files. */
export function importExportRoutes(services: Services): Handlers<typeof importExport, ReadableEstimation> {
  const readFile = createFileReader();
  return {
    async exportEstimation({ estimation, query }) {
      const format = query.format ?? "json";
      const { type, extension } = FORMATS[format];
      const name = fileNameFor(estimation.title, extension);
      const bytes = aboutBytes(estimation.tree.nodes);
      const content = await inTurn(bytes, () => JSON.stringify(contentOf(estimation)));
      const text = await services.compute.run("exportFile", { format, content }, bytes);
      return { file: { name, type, text }, revision: estimation.revision };
    },

    async importEstimation(call) {
      const { actor, body, db, now } = call;
      const { estimation: fields, checked } = await readFile(body.format, body.content);
      const plant = (newId: Parameters<typeof plantTree>[1]) => plantTree(checked, newId);
      const row = await makeEstimation(db, services, {
        ...{ ownerId: actor.userId, fields, plant, now },
        treeBytes: aboutBytes(checked.nodes),
      });
      await recordActivity({ ...call, estimation: row }, "estimation.imported");
      return { data: { estimation: presentEstimation(row) }, revision: row.revision };
    },
  };
}

/** An older record may have a rate without a currency, which says nothing and cannot be imported: it is left out. */
function contentOf(row: ReadableEstimation & Pick<Content, "tree">): Content {
  const { title, description, clientName, tags, hourlyRate, currency, correlation, rounding, tree } = row;
  const rate = currency === null ? null : hourlyRate;
  return { title, description, clientName, tags, hourlyRate: rate, currency, correlation, rounding, tree };
}
