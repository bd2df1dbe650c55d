import Type from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { OneOf, Shape, Title } from "../shapes.ts";
import { csvDecimals, csvSeparators } from "../values/csv-form.ts";
import { fileFormats } from "../values/file-formats.ts";
import { SheetPreview } from "../values/sheet-preview.ts";
import { ReplaceTree } from "../values/tree-input.ts";
import { createEstimationBody, Estimation } from "./estimations.ts";

/** A JSON file with an estimation, as it is exported and imported. */
export const EstimationFile = Shape({
  format: Type.Optional(OneOf(fileFormats)),
  estimation: createEstimationBody,
  tree: ReplaceTree,
});

const MIB = 1024 ** 2;
const spreadsheets = `A spreadsheet has at most ${limits.sheetFileBytes / MIB} MiB and ${limits.sheetRows.toLocaleString("en-US")} rows, and a workbook, unpacked, ${limits.sheetUnpackedBytes / MIB} MiB of sheets. Its values are read, no formula is computed.`;

const lineNotes = (description: string) =>
  Type.Array(
    Shape({
      line: Type.Integer({ minimum: 1, description: "In the file, counted from 1; of a spreadsheet, the row" }),
      message: Type.String({ description: "As text for people" }),
    }),
    { maxItems: limits.reportedFaults, description: `${description}; the first ${limits.reportedFaults}` },
  );

const taken = Shape({
  lines: Type.Integer({
    minimum: 0,
    description:
      "How many lines (of a spreadsheet, rows) became a part of the estimation; of JSON, all that are not empty",
  }),
  skipped: lineNotes("What was left out on purpose, such as front matter, comments and totals"),
  noted: lineNotes("What was taken, but should be looked at, such as hours that are those of the lines below"),
});

const content = Type.String({ minLength: 1, description: "The text of the file; a workbook (`xlsx`) in Base64" });

export const importExport = endpoints({
  exportEstimation: {
    method: "GET",
    path: "/api/estimations/:id/export",
    summary: "Save an estimation as a file: JSON, CSV, a Markdown outline or a workbook",
    description:
      "The file has the content of the estimation, without ids, people, times, tasks, versions, timeline and milestones. JSON and Markdown can be imported. A workbook (.xlsx) has the totals as formulas, also the tasks that the tree asks for, and what the numbers rest on.",
    access: "estimations:read",
    right: "read",
    withTree: true,
    query: Shape({
      format: OneOf(["json", "csv", "markdown", "xlsx"], { default: "json", description: "Kind of the file" }),
      separator: Type.Optional(
        OneOf(csvSeparators, {
          default: ",",
          description: "What stands between the cells of CSV; the tab is `%09`. Other formats do not have it",
        }),
      ),
      decimal: Type.Optional(
        OneOf(csvDecimals, {
          default: ".",
          description:
            "The decimal sign of CSV. Other formats do not have it; `;` with `,` is what Excel reads in German",
        }),
      ),
    }),
    response: {
      status: 200,
      file: [
        "application/json",
        "text/csv",
        "text/markdown",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      ],
    },
    etag: true,
  },
  importEstimation: {
    method: "POST",
    path: "/api/estimations/import",
    tool: {
      only: {
        send: { format: "outline" },
        description:
          "Create an estimation from an indented outline, whose text is `content`: see the resource guide://estimating for how it is written. It is imported completely or not at all; each row of `errors` names a line of it",
      },
    },
    summary: "Create an estimation from an exported JSON file, an indented outline or a spreadsheet",
    description: `Everything gets new ids. A file is imported completely or not at all; each row of \`errors\` names a line of it, or a row. \`import\` names what was left out, and what should be looked at: nothing of a file is lost in silence. ${spreadsheets}`,
    access: "estimations:write",
    body: Shape({
      format: OneOf(["json", "outline", "xlsx", "csv"], { description: "Kind of the file" }),
      content,
      title: Type.Optional({
        ...Title(limits.titleLength),
        description: "Title of the estimation, instead of the one in the file; an outline without either is `Untitled`",
      }),
      decimal: Type.Optional(
        OneOf(csvDecimals, {
          default: ".",
          description: "The decimal sign of an outline. Other formats have none, or either, and ignore it",
        }),
      ),
    }),
    bodyLimitBytes: limits.treeBodyBytes,
    response: {
      status: 201,
      created: "/api/estimations/:id",
      data: Shape({ estimation: Estimation.ref, import: taken }),
    },
    errors: ["limit_reached"],
    etag: true,
    activity: "estimation.imported",
  },
  previewImport: {
    method: "POST",
    path: "/api/estimations/import/preview",
    summary: "Show row by row what would be understood of a spreadsheet, without creating anything",
    description: `A file that cannot be read is refused, as by the import; what is wrong with its rows is in \`faults\`. ${spreadsheets}`,
    access: "estimations:write",
    transaction: false,
    endsWithClient: true,
    body: Shape({
      format: OneOf(["xlsx", "csv"], { description: "Kind of the file" }),
      content,
    }),
    bodyLimitBytes: limits.treeBodyBytes,
    response: { status: 200, data: Shape({ preview: SheetPreview.ref }) },
  },
});
