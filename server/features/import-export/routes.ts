import type { importExport } from "../../../contract/import-export.ts";
import type { Content } from "../../../domain/transfer/content.ts";
import { exportCsv } from "../../../domain/transfer/export-csv.ts";
import { exportJson } from "../../../domain/transfer/export-json.ts";
import { exportMarkdown } from "../../../domain/transfer/export-markdown.ts";
import { plantTree } from "../../../domain/tree/import-tree.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import { makeEstimation, presentEstimation, type ReadableEstimation } from "../estimations/index.ts";
import { fileNameFor } from "./file-name.ts";
import { createFileReader } from "./read-file.ts";

const FORMATS = {
  json: { write: exportJson, type: "application/json", extension: "json" },
  csv: { write: exportCsv, type: "text/csv", extension: "csv" },
  markdown: { write: exportMarkdown, type: "text/markdown", extension: "md" },
} as const;

/** Saving estimations as files, and making them from files. */
export function importExportRoutes(services: Services): Handlers<typeof importExport, ReadableEstimation> {
  const readFile = createFileReader();
  return {
    async exportEstimation({ estimation, query }) {
      const { write, type, extension } = FORMATS[query.format ?? "json"];
      const name = fileNameFor(estimation.title, extension);
      return { file: { name, type, text: write(contentOf(estimation)) }, revision: estimation.revision };
    },

    async importEstimation({ actor, body, db, now }) {
      const { estimation: fields, checked } = readFile(body.format, body.content);
      const plant = (newId: Parameters<typeof plantTree>[1]) => plantTree(checked, newId);
      const row = await makeEstimation(db, services, { ownerId: actor.userId, fields, plant, now });
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
