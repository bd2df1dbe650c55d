import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  Change,
  component,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  OrNull,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { nodeFields, optionFields, pointProperties } from "../values/tree.ts";
import { TreeHours } from "../values/tree-hours.ts";
import { Estimation } from "./estimations.ts";

export const visibilities = ["private", "team", "instance"] as const;
export type Visibility = (typeof visibilities)[number];

const applyModes = ["append", "replace"] as const;
/** Whether a template is added to a tree, or replaces it. */
export type ApplyMode = (typeof applyModes)[number];

const given = {
  name: Title(limits.titleLength),
  description: Text(limits.descriptionLength, { description: "What it is used for" }),
  visibility: OneOf(visibilities, {
    description: "Who sees it: only its owner, also the members of a team, or every user of the instance",
  }),
};

const fields = {
  id: Id("template"),
  ...given,
  team: OrNull(
    Shape({ id: Id("team"), name: Type.String() }, { description: "The team whose members see it; null: none" }),
  ),
  owner: Shape({ id: Id("user"), name: Type.String() }),
  nodes: Type.Integer({ minimum: 1, description: "Number of its nodes" }),
  options: Type.Integer({ minimum: 0, description: "Number of its options" }),
  createdAt: Timestamp,
};

export const Template = component("Template", Shape(fields));
export type Template = Static<typeof Template.schema>;

interface TemplateOption {
  id: string;
  nodes: TemplateNode[];
}

interface TemplateNode {
  id: string;
  options: TemplateOption[];
}

const TemplateNodeRecord = component(
  "TemplateNode",
  Shape({
    id: Id("node"),
    ...nodeFields,
    options: Type.Array(Type.Unsafe<TemplateOption>({ $ref: "TemplateOption#" }), { description: "In order" }),
  }),
);
component(
  "TemplateOption",
  Shape({
    id: Id("option"),
    ...optionFields,
    hours: Nullable(Shape(pointProperties, { description: "0 ≤ optimistic ≤ likely ≤ pessimistic" })),
    nodes: Type.Array(Type.Unsafe<TemplateNode>({ $ref: "TemplateNode#" }), {
      description: "Questions that arise where the option is chosen, in order",
    }),
  }),
);

/** How many estimations are named that a template was added to. */
export const USES_SHOWN = 20;
/** How many estimations, those that a template was added to last, are searched for ones that the reader sees. */
export const USES_SEARCHED = 1_000;

const TemplateWithTree = component(
  "TemplateWithTree",
  Shape({
    ...fields,
    tree: Shape({ nodes: Type.Array(TemplateNodeRecord.ref) }, { description: "What applying it adds" }),
    usedIn: Type.Array(
      Shape({
        id: Id("estimation"),
        title: Type.String(),
        appliedAt: Type.String({ ...Timestamp, description: "When it was added to it last" }),
      }),
      {
        description: `The estimations that it was added to last, of those that you may read; at most ${USES_SHOWN}, among the last ${USES_SEARCHED} that anybody added it to. Empty for a key without the scope \`estimations:read\``,
      },
    ),
  }),
);

const one = Shape({ template: Template.ref });

export const templates = endpoints({
  listTemplates: {
    method: "GET",
    path: "/api/templates",
    summary: "List your templates, those of your teams and those of the instance, newest first",
    access: "templates:read",
    query: Shape({
      q: Type.Optional(
        Text(limits.searchLength, { description: "Only those whose name contains this; case is ignored" }),
      ),
      ownerId: Type.Optional(Text(limits.refLength, { description: "Only those of this user" })),
      ...paging(limits.pageSize),
    }),
    response: { status: 200, data: Shape({ templates: Type.Array(Template.ref), nextCursor: NextCursor }) },
  },
  createTemplate: {
    method: "POST",
    path: "/api/templates",
    summary: "Make a template of an estimation that you may read",
    description:
      "It has the questions, options, hours and links of the tree, without what was chosen for one project: no selections, overrides, people or dates. An option that has only an override keeps that as its hours. Later changes of the estimation do not change the template. Only a user with a verified address who may change the estimation may show one to the instance, or to a team, which has to be a team of theirs.",
    access: "estimations:write",
    body: Shape({
      estimationId: Type.String({ description: "Id of the estimation" }),
      partId: Type.Optional(
        Text(limits.refLength, {
          description:
            "Id of a node or an option of its tree: only that with everything below it, without links to other parts. An option becomes a group of its own. The whole tree by default",
        }),
      ),
      name: given.name,
      description: Type.Optional(given.description),
      visibility: Type.Optional(Type.Unsafe<Visibility>({ ...given.visibility, default: "private" })),
      teamId: Type.Optional(
        Text(limits.refLength, { description: "Id of a team of yours: with the visibility `team`, and only then" }),
      ),
    }),
    response: { status: 201, created: "/api/templates/:id", data: one },
    errors: ["not_found", "forbidden", "template_empty", "limit_reached"],
  },
  getTemplate: {
    method: "GET",
    path: "/api/templates/:id",
    summary: "Read a template with its tree",
    access: "templates:read",
    response: { status: 200, data: Shape({ template: TemplateWithTree.ref }) },
  },
  updateTemplate: {
    method: "PATCH",
    path: "/api/templates/:id",
    summary: "Rename or describe a template of your own, or change who sees it",
    description:
      "Its tree never changes. What holds for making a template that others see holds here, too: only a user with a verified address may show it to the instance, or to a team of theirs, and only if they could change the estimation when they made it.",
    access: "estimations:write",
    body: Change(
      {
        ...given,
        teamId: Text(limits.refLength, {
          description: "Id of a team of yours: with the visibility `team`, and only then",
        }),
      },
      { matching: ["id"], derived: ["team", "owner", "nodes", "options", "usedIn", "createdAt"] },
    ),
    response: { status: 200, data: one },
    errors: ["forbidden", "limit_reached"],
  },
  deleteTemplate: {
    method: "DELETE",
    path: "/api/templates/:id",
    summary: "Delete a template of your own, or take one from a team whose admin you are; what was made from it stays",
    description:
      "A template of somebody else that is shown to a team becomes private to its owner, whether or not they still belong to the team.",
    access: "estimations:write",
    response: { status: 200, data: one },
    errors: ["forbidden"],
  },
  applyTemplate: {
    method: "POST",
    path: "/api/estimations/:id/apply-template",
    summary: "Add a template to the tree, or replace the tree with it",
    description:
      "Its nodes and options get new ids and an `origin`; none of them is selected. The content before and after are stored as versions: restoring `undoVersionId` undoes it.",
    access: { allOf: ["estimations:write", "templates:read"] },
    right: "edit",
    body: Shape({
      templateId: Type.String({ description: "Id of the template" }),
      mode: OneOf(applyModes, {
        description: "`append`: after the root nodes; `replace`: instead of the whole tree",
      }),
    }),
    response: {
      status: 200,
      data: Shape({
        estimation: Estimation.ref,
        hours: TreeHours.ref,
        undoVersionId: Id("version", "Id of the version with the content from before"),
        versionId: Id("version", "Id of the version with the new content"),
      }),
    },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "template.applied",
  },
});
