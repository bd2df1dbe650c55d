import Type from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { Id, OneOf, Shape } from "../shapes.ts";
import { NodeRecord, OptionRecord, Problem } from "../values/tree.ts";
import { HoursExplanation, TreeHours, WhatIf } from "../values/tree-hours.ts";
import {
  CreateNode,
  CreateOption,
  MakeIds,
  MoveNode,
  MoveOption,
  ReplaceTree,
  UpdateNode,
  UpdateOption,
} from "../values/tree-input.ts";

const tree = Shape({
  nodes: Type.Array(NodeRecord.ref),
  problems: Type.Array(Problem.ref, {
    description: `What keeps the tree from being complete; at most ${limits.reportedProblems} are reported`,
  }),
});
const oneNode = Shape({ node: NodeRecord.ref, hours: TreeHours.ref });
const oneOption = Shape({ option: OptionRecord.ref, hours: TreeHours.ref });

/** Option ids in a query; the handler checks each one. */
const OptionIds = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: limits.trialOptions * 31,
      description: `${description}. Option ids, separated by commas, at most ${limits.trialOptions} in \`select\` and \`deselect\` together`,
    }),
  );

export const decisionTrees = endpoints({
  getTree: {
    method: "GET",
    path: "/api/estimations/:id/tree",
    tool: {},
    summary: "Read the decision tree and its problems",
    access: "estimations:read",
    right: "read",
    withTree: true,
    response: {
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
      "Nodes and options with a known id keep it; those without an id, or with an unused one of `POST /api/estimations/:id/ids`, are new. A new option may have a `ref`, unique in the request, by which `requires` and `excludes` can name it.",
    access: "estimations:write",
    right: "edit",
    bodyLimitBytes: limits.treeBodyBytes,
    bodyValues: limits.treeBodyValues,
    body: ReplaceTree,
    response: {
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
  makeTreeIds: {
    method: "POST",
    path: "/api/estimations/:id/ids",
    summary: "Get unused ids for new nodes or options of the tree",
    description:
      "A client that makes nodes and options itself, and sends whole trees, can give them their ids at once: sent again after a lost response, they are not added twice. Nothing is stored: ids do not expire, and those that are not used cost nothing.",
    access: "estimations:write",
    right: "edit",
    transaction: false,
    body: MakeIds,
    response: { status: 200, data: Shape({ ids: Type.Array(Type.String(), { maxItems: limits.newIds }) }) },
  },
  getTreeHours: {
    method: "GET",
    path: "/api/estimations/:id/tree/hours",
    tool: {},
    summary: "Add up the hours of the counted options, with confidence levels",
    access: "estimations:read",
    right: "read",
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
    response: {
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
  createNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes",
    tool: {},
    summary: "Add a node",
    access: "estimations:write",
    right: "edit",
    body: CreateNode,
    response: { status: 201, created: "/api/estimations/:id/tree/nodes/:nodeId", data: oneNode },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  updateNode: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    tool: {},
    summary: "Change a node",
    access: "estimations:write",
    right: "edit",
    body: UpdateNode,
    bodyValues: limits.partBodyValues,
    response: { status: 200, data: oneNode },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  moveNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/move",
    summary: "Move a node with everything below it",
    access: "estimations:write",
    right: "edit",
    body: MoveNode,
    response: { status: 200, data: oneNode },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  deleteNode: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    tool: { destructive: true },
    summary: "Delete a node with everything below it",
    access: "estimations:write",
    right: "edit",
    response: { status: 200, data: oneNode },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  createOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/options",
    tool: {},
    summary: "Add an option to a node",
    access: "estimations:write",
    right: "edit",
    body: CreateOption,
    response: { status: 201, created: "/api/estimations/:id/tree/options/:optionId", data: oneOption },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  updateOption: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/options/:optionId",
    tool: {},
    summary: "Change an option",
    access: "estimations:write",
    right: "edit",
    body: UpdateOption,
    bodyValues: limits.partBodyValues,
    response: { status: 200, data: oneOption },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  moveOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/move",
    summary: "Move an option with everything below it to a node",
    access: "estimations:write",
    right: "edit",
    body: MoveOption,
    response: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  deleteOption: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/options/:optionId",
    tool: { destructive: true },
    summary: "Delete an option with everything below it",
    access: "estimations:write",
    right: "edit",
    response: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  selectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/select",
    tool: {},
    summary: "Select an option; in a single-choice node its siblings are deselected",
    access: "estimations:write",
    right: "edit",
    response: {
      status: 200,
      data: Shape({ option: OptionRecord.ref, deselected: Type.Array(Id("option")), hours: TreeHours.ref }),
    },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  deselectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/deselect",
    tool: {},
    summary: "Deselect an option; selections below it stay stored but do not count",
    access: "estimations:write",
    right: "edit",
    response: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
});
