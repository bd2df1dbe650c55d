import Type from "typebox";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Id, Shape } from "./shapes.ts";
import { OptionRecord } from "./tree.ts";
import { TreeHours } from "./tree-hours.ts";
import { CreateOption, MoveOption, UpdateOption } from "./tree-input.ts";

const oneOption = Shape({ option: OptionRecord.ref, hours: TreeHours.ref });

/** The rows of single options of a decision tree. */
export const treeOptions = endpoints({
  createOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/options",
    summary: "Add an option to a node",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    rereads: true,
    body: CreateOption,
    reply: { status: 201, created: "/api/estimations/:id/tree/options/:optionId", data: oneOption },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  updateOption: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/options/:optionId",
    summary: "Change an option",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    body: UpdateOption,
    bodyValues: limits.partBodyValues,
    reply: { status: 200, data: oneOption },
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
    heavy: true,
    rereads: true,
    body: MoveOption,
    reply: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  deleteOption: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/options/:optionId",
    summary: "Delete an option with everything below it",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    reply: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  selectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/select",
    summary: "Select an option; in a single-choice node its siblings are deselected",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    rereads: true,
    reply: {
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
    summary: "Deselect an option; selections below it stay stored but do not count",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    rereads: true,
    reply: { status: 200, data: oneOption },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
});
