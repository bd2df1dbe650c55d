import Type from "typebox";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { OneOf, Shape } from "./shapes.ts";
import { NodeRecord, Problem } from "./tree.ts";
import { HoursExplanation, TreeHours, WhatIf } from "./tree-hours.ts";
import { ReplaceTree } from "./tree-input.ts";
import { treeNodes } from "./tree-nodes.ts";
import { treeOptions } from "./tree-options.ts";

const tree = Shape({
  nodes: Type.Array(NodeRecord.ref),
  problems: Type.Array(Problem.ref, {
    description: `What keeps the tree from being complete; at most ${limits.reportedProblems} are reported`,
  }),
});
/** Option ids in a query; the handler checks each of them. */
const OptionIds = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: limits.trialOptions * 31,
      description: `${description}. Option ids, separated by commas, at most ${limits.trialOptions} in \`select\` and \`deselect\` together`,
    }),
  );

/** The rows of whole trees. */
const trees = endpoints({
  getTree: {
    method: "GET",
    path: "/api/estimations/:id/tree",
    summary: "Read the decision tree and its problems",
    access: "estimations:read",
    right: "read",
    heavy: true,
    withTree: true,
    reply: {
      status: 200,
      data: Shape({ tree }),
    },
    etag: true,
  },
  replaceTree: {
    method: "PUT",
    path: "/api/estimations/:id/tree",
    summary: "Replace the whole decision tree",
    description:
      "Nodes and options with a known id keep it; those without an id are new. A new option may have a `ref`, unique in the request, by which `requires` and `excludes` can name it.",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    bodyLimitBytes: limits.treeBodyBytes,
    bodyValues: limits.treeBodyValues,
    body: ReplaceTree,
    reply: {
      status: 200,
      data: Shape({
        tree,
        hours: TreeHours.ref,
      }),
    },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  getTreeHours: {
    method: "GET",
    path: "/api/estimations/:id/tree/hours",
    summary: "Add up the hours of the counted options, with confidence levels",
    access: "estimations:read",
    right: "read",
    heavy: true,
    withTree: true,
    query: Shape({
      explain: Type.Optional(
        Type.Boolean({
          description: "Adds `explanation`: how the hours are calculated, and what would make them more certain",
        }),
      ),
      select: OptionIds("Calculates the hours as if these options were selected, without storing anything"),
      deselect: OptionIds("Calculates the hours as if these options were deselected, without storing anything"),
      whatIf: Type.Optional(
        OneOf(["all"], {
          description:
            "Adds `whatIf`: for every option that is not selected, by how much selecting it would change the hours",
        }),
      ),
    }),
    reply: {
      status: 200,
      data: Shape({
        hours: TreeHours.ref,
        explanation: Type.Optional(HoursExplanation.ref),
        whatIf: Type.Optional(
          Type.Array(WhatIf.ref, {
            description:
              "In tree order, with `select` and `deselect` applied. 0 for an option that would stay dormant, and for the options of a `group`, which count anyway",
          }),
        ),
      }),
    },
    etag: true,
  },
});

export const decisionTrees = { ...trees, ...treeNodes, ...treeOptions };
