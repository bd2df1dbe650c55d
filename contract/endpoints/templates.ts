import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { component, Id, NextCursor, Nullable, OneOf, paging, Shape, Text, Timestamp, Title } from "../shapes.ts";
import { nodeFields, optionFields, pointProperties } from "../values/tree.ts";
import { TreeHours } from "../values/tree-hours.ts";
import { Estimation } from "./estimations.ts";

export const visibilities = ["private", "instance"] as const;
export type Visibility = (typeof visibilities)[number];

const applyModes = ["append", "replace"] as const;
/** Whether a template is added to a tree, or replaces it. */
export type ApplyMode = (typeof applyModes)[number];

const given = {
  name: Title(limits.titleLength),
  description: Text(limits.descriptionLength, { description: "What it is used for" }),
  visibility: OneOf(visibilities, { description: "Who sees it: only its owner, or every user of the instance" }),
};

const fields = {
  id: Id("template"),
  ...given,
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

const TemplateWithTree = component(
  "TemplateWithTree",
  Shape({
    ...fields,
    tree: Shape({ nodes: Type.Array(TemplateNodeRecord.ref) }, { description: "What applying it adds" }),
  }),
);

const one = Shape({ template: Template.ref });

export const templates = endpoints({
  listTemplates: {
    method: "GET",
    path: "/api/templates",
    summary: "List your templates and those of the instance, newest first",
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
      "It has the questions, options, hours and links of the tree, without what was chosen for one project: no selections, overrides, people or dates. An option that has only an override keeps that as its hours. Later changes of the estimation do not change the template. Only a user with a verified address who may change the estimation may show one to the instance.",
    access: "estimations:write",
    body: Shape({
      estimationId: Type.String({ description: "Id of the estimation" }),
      name: given.name,
      description: Type.Optional(given.description),
      visibility: Type.Optional(Type.Unsafe<Visibility>({ ...given.visibility, default: "private" })),
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
  deleteTemplate: {
    method: "DELETE",
    path: "/api/templates/:id",
    summary: "Delete a template of your own; what was made from it stays",
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
