import Type from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { OneOf, Shape } from "../shapes.ts";
import { ReplaceTree } from "../values/tree-input.ts";
import { createEstimationBody, Estimation } from "./estimations.ts";

/** A JSON file with an estimation, as it is exported and imported. */
export const EstimationFile = Shape({
  format: Type.Optional(Type.Literal("estimation/1")),
  estimation: createEstimationBody,
  tree: ReplaceTree,
});

export const importExport = endpoints({
  exportEstimation: {
    method: "GET",
    path: "/api/estimations/:id/export",
    summary: "Save an estimation as a file: JSON, CSV or a Markdown outline",
    description:
      "The file has the content of the estimation, without ids, people, times, tasks, versions, timeline and milestones. JSON and Markdown can be imported.",
    access: "estimations:read",
    right: "read",
    withTree: true,
    query: Shape({ format: OneOf(["json", "csv", "markdown"], { default: "json", description: "Kind of the file" }) }),
    response: { status: 200, file: ["application/json", "text/csv", "text/markdown"] },
    etag: true,
  },
  importEstimation: {
    method: "POST",
    path: "/api/estimations/import",
    summary: "Create an estimation from an exported JSON file or an indented outline",
    description:
      "Everything gets new ids. A file is imported completely or not at all; each row of `errors` names a line of it.",
    access: "estimations:write",
    body: Shape({
      format: OneOf(["json", "outline"], { description: "Kind of the file" }),
      content: Type.String({ minLength: 1, description: "The text of the file" }),
    }),
    bodyLimitBytes: limits.treeBodyBytes,
    response: { status: 201, created: "/api/estimations/:id", data: Shape({ estimation: Estimation.ref }) },
    errors: ["limit_reached"],
    etag: true,
    activity: "estimation.imported",
  },
});
