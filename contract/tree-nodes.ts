import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Shape } from "./shapes.ts";
import { NodeRecord } from "./tree.ts";
import { TreeHours } from "./tree-hours.ts";
import { CreateNode, MoveNode, UpdateNode } from "./tree-input.ts";

const oneNode = Shape({ node: NodeRecord.ref, hours: TreeHours.ref });

/** The rows of single nodes of a decision tree. */
export const treeNodes = endpoints({
  createNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes",
    summary: "Add a node",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    rereads: true,
    body: CreateNode,
    reply: { status: 201, created: "/api/estimations/:id/tree/nodes/:nodeId", data: oneNode },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  updateNode: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    summary: "Change a node",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    body: UpdateNode,
    bodyValues: limits.partBodyValues,
    reply: { status: 200, data: oneNode },
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
    heavy: true,
    rereads: true,
    body: MoveNode,
    reply: { status: 200, data: oneNode },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  deleteNode: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    summary: "Delete a node with everything below it",
    access: "estimations:write",
    right: "edit",
    heavy: true,
    reply: { status: 200, data: oneNode },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
});
