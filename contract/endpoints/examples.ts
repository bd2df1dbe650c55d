import Type from "typebox";
import { endpoints } from "../endpoint.ts";
import { Shape } from "../shapes.ts";
import { Estimation } from "./estimations.ts";

export const examples = endpoints({
  createExamples: {
    method: "POST",
    path: "/api/estimations/examples",
    summary: "Add three examples to your estimations",
    description:
      "A checkout with tasks, actual hours, a timeline and milestones, an app that was reviewed, and a migration with two versions. They are your own, and count in your quotas; they say nothing about your work: accuracy and suggestions leave them out, and nobody is notified of their review. Each call adds them again. There is no review where your address is not verified.",
    access: "estimations:write",
    response: {
      status: 200,
      data: Shape({ estimations: Type.Array(Estimation.ref, { description: "The new estimations" }) }),
    },
    errors: ["limit_reached"],
    events: ["estimation.submitted", "estimation.approved", "estimation.tasks_generated"],
    activity: [
      "estimation.created",
      "content.edited",
      "version.created",
      "review.requested",
      "review.approved",
      "state.submitted",
      "tasks.generated",
      "tasks.edited",
      "timeline.edited",
    ],
  },
});
