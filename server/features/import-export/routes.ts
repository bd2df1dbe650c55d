import type { importExport } from "../../../contract/import-export.ts";
import type { Content } from "../../../domain/transfer/content.ts";
import { aboutBytes } from "../../../domain/tree/about-bytes.ts";
import { plantTree } from "../../../domain/tree/import-tree.ts";
import type { Handlers } from "../../http/handler.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services.ts";
import { makeEstimation, presentEstimation, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { fileNameFor } from "./file-name.ts";
import { createFileReader } from "./read-file.ts";

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
