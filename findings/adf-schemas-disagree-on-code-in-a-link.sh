#!/usr/bin/env bash
# @atlaskit/adf-schema 57.7.22, one package with two descriptions of the Atlassian Document Format: its JSON schema takes a text with
# the marks `link` and `code` together, and its schema for the editor, which Jira's pages use, refuses it. So a document that was
# checked against the JSON schema and stored through the API still changes when somebody saves it in the editor: one of
# the marks is dropped, and a program that compares the description with what it has written sees a change that nobody made.
#
# Seen:
#   JSON schema: takes it
#   editor:      Invalid collection of marks for node text: link,code
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @atlaskit/adf-schema@57.7.22 ajv@8.20.0 ajv-draft-04@1.0.0
cat >seen.cjs <<'JS'
const assert = require("node:assert/strict");
const Ajv = require("ajv-draft-04").default;
const { defaultSchema } = require("@atlaskit/adf-schema/schema-default");
const schema = require("@atlaskit/adf-schema/dist/json-schema/v1/full.json");
const marks = [{ type: "link", attrs: { href: "https://example.com" } }, { type: "code" }];
const document = (given) => ({
  type: "doc",
  version: 1,
  content: [{ type: "paragraph", content: [{ type: "text", text: "npm test", marks: given }] }],
});
const judge = new Ajv({ strict: false }).compile(schema);
const byEditor = (given) => {
  try {
    defaultSchema.nodeFromJSON(document(given)).check();
    return null;
  } catch (error) {
    return error.message;
  }
};
// Each of them alone is taken by both.
for (const mark of marks) assert.deepEqual([judge(document([mark])), byEditor([mark])], [true, null]);
console.log("JSON schema:", judge(document(marks)) ? "takes it" : "refuses it");
console.log("editor:     ", byEditor(marks));
assert.deepEqual([judge(document(marks)), byEditor(marks)], [true, "Invalid collection of marks for node text: link,code"]);
JS
node seen.cjs
