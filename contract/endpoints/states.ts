import { endpoints } from "../endpoint.ts";
import { Shape } from "../shapes.ts";
import { Estimation } from "./estimations.ts";

const moved = { status: 200, data: Shape({ estimation: Estimation.ref }) } as const;

export const states = endpoints({
  submitEstimation: {
    method: "POST",
    path: "/api/estimations/:id/submit",
    summary: "Submit a draft, which locks its content",
    description:
      "The tree must be complete, with at least one option that counts. From then on the tree and all fields but `tags` cannot be changed, until the estimation is reopened. What is submitted is stored as a version.",
    access: "estimations:write",
    right: "edit",
    response: moved,
    errors: ["invalid_transition", "tree_incomplete", "limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "state.submitted",
  },
  markTasksGenerated: {
    method: "POST",
    path: "/api/estimations/:id/mark-tasks-generated",
    summary: "Mark the tasks of a submitted estimation as generated",
    description: "Generating the tasks of a submitted estimation does this too.",
    access: "estimations:write",
    right: "edit",
    response: moved,
    errors: ["invalid_transition"],
    etag: true,
    ifMatch: true,
    activity: "state.tasks_generated",
  },
  markExported: {
    method: "POST",
    path: "/api/estimations/:id/mark-exported",
    summary: "Mark generated tasks as exported",
    access: "estimations:write",
    right: "edit",
    response: moved,
    errors: ["invalid_transition"],
    etag: true,
    ifMatch: true,
    activity: "state.exported",
  },
  reopenEstimation: {
    method: "POST",
    path: "/api/estimations/:id/reopen",
    summary: "Make a submitted estimation a draft again, so that its content can be changed",
    access: "estimations:write",
    right: "edit",
    response: moved,
    errors: ["invalid_transition"],
    etag: true,
    ifMatch: true,
    activity: "state.reopened",
  },
});
