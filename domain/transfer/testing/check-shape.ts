import { Ajv } from "ajv";
import Type from "typebox";
import { contract } from "../../../contract/index.ts";
import { components, OneOf, Shape } from "../../../contract/shapes.ts";
import { fileFormats } from "../../../contract/values/file-formats.ts";
import type { CheckShape } from "../import-json.ts";

// The domain itself checks decimals, which the validator leaves aside.
const ajv = new Ajv({ strict: false, formats: { "date-time": true, uri: true } });
for (const schema of components) ajv.addSchema(schema);

const check = ajv.compile(
  Shape({
    format: Type.Optional(OneOf(fileFormats)),
    estimation: contract.createEstimation.body,
    tree: contract.replaceTree.body,
  }),
);

/** Returns the faults in a file's shape, as the contract declares its parts. */
export const checkShape: CheckShape = (file) => {
  check(file);
  return (check.errors ?? []).map(({ instancePath, message = "" }) => ({ path: instancePath, message }));
};
