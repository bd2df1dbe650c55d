import Type from "typebox";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Id, OneOf, Shape } from "./shapes.ts";
import { NodeRecord, OptionRecord, Problem } from "./tree.ts";
import { HoursExplanation, TreeHours, WhatIf } from "./tree-hours.ts";
import { CreateNode, CreateOption, MoveNode, MoveOption, ReplaceTree, UpdateNode, UpdateOption } from "./tree-input.ts";

const tree = Shape({ nodes: Type.Array(NodeRecord.ref), problems: Type.Array(Problem.ref) });
const oneNode = Shape({ node: NodeRecord.ref, hours: TreeHours.ref });
const oneOption = Shape({ option: OptionRecord.ref, hours: TreeHours.ref });

/** Ids in a query; what each is worth the handler judges. */
const OptionIds = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: limits.trialOptions * 31,
      description: `${description}: their ids, separated by commas, at most ${limits.trialOptions} in all`,
    }),
  );

export const decisionTrees = endpoints({
  getTree: {
    method: "GET",
    path: "/api/estimations/:id/tree",
    summary: "Read the decision tree with what is unfinished in it",
    access: "estimations:read",
    right: "read",
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
      "Things with a known id keep it; things without one are new. A new option may carry `ref`, unique in the request, to be named in `requires` and `excludes`.",
    access: "estimations:write",
    right: "edit",
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
  },
  getTreeHours: {
    method: "GET",
    path: "/api/estimations/:id/tree/hours",
    summary: "Roll the counted options up to hours with confidence levels",
    access: "estimations:read",
    right: "read",
    withTree: true,
    query: Shape({
      explain: Type.Optional(
        Type.Boolean({ description: "Adds `explanation`: how the hours come about, and what would make them surer" }),
      ),
      select: OptionIds("Answers the hours as they would be with these options selected, and stores nothing"),
      deselect: OptionIds("The same with these options deselected"),
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
              "In tree order, with the changes of `select` and `deselect`. 0 for an option that would stay dormant, and in a `group`, whose options count anyway",
          }),
        ),
      }),
    },
    etag: true,
  },
  createNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes",
    summary: "Add a node",
    access: "estimations:write",
    right: "edit",
    body: CreateNode,
    reply: { status: 201, data: oneNode },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
  },
  updateNode: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    summary: "Change a node",
    access: "estimations:write",
    right: "edit",
    body: UpdateNode,
    bodyValues: limits.partBodyValues,
    reply: { status: 200, data: oneNode },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
  },
  moveNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/move",
    summary: "Move a node with all below it",
    access: "estimations:write",
    right: "edit",
    body: MoveNode,
    reply: { status: 200, data: oneNode },
    etag: true,
    ifMatch: true,
  },
  deleteNode: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    summary: "Delete a node with all below it",
    access: "estimations:write",
    right: "edit",
    reply: { status: 200, data: oneNode },
    etag: true,
    ifMatch: true,
  },
  createOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/options",
    summary: "Add an option to a node",
    access: "estimations:write",
    right: "edit",
    body: CreateOption,
    reply: { status: 201, data: oneOption },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
  },
  updateOption: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/options/:optionId",
    summary: "Change an option",
    access: "estimations:write",
    right: "edit",
    body: UpdateOption,
    bodyValues: limits.partBodyValues,
    reply: { status: 200, data: oneOption },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
  },
  moveOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/move",
    summary: "Move an option with all below it to a node",
    access: "estimations:write",
    right: "edit",
    body: MoveOption,
    reply: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
  },
  deleteOption: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/options/:optionId",
    summary: "Delete an option with all below it",
    access: "estimations:write",
    right: "edit",
    reply: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
  },
  selectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/select",
    summary: "Select an option; in a single-choice node its siblings are deselected",
    access: "estimations:write",
    right: "edit",
    reply: {
      status: 200,
      data: Shape({ option: OptionRecord.ref, deselected: Type.Array(Id("option")), hours: TreeHours.ref }),
    },
    etag: true,
    ifMatch: true,
  },
  deselectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/deselect",
    summary: "Deselect an option; what is selected below it stays stored and counts nothing",
    access: "estimations:write",
    right: "edit",
    reply: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
  },
});
