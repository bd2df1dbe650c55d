import { EstimationFile } from "../../../contract/endpoints/import-export.ts";
import { limits } from "../../../contract/limits.ts";
import { rateFaults } from "../../../domain/rate-faults.ts";
import type { CheckedIncoming, PathFault } from "../../../domain/transfer/content.ts";
import { eachLine } from "../../../domain/transfer/each-line.ts";
import { type CheckShape, importJson } from "../../../domain/transfer/import-json.ts";
import { importOutline } from "../../../domain/transfer/import-outline.ts";
import { findUnstorable } from "../../http/body/parse-json.ts";
import { readStructure } from "../../http/body/structure.ts";
import { Failure, failWith } from "../../http/failure.ts";
import { validation } from "../../http/validation/validation.ts";
import { inTurn, inTurns } from "../../platform/compute.ts";

/** Lines of an outline: its bytes are bounded, but even an empty line takes memory. */
export const LINES = 1_000_000;

type Format = "json" | "outline";

/**
 * Returns the function that reads a file to import. Refuses (400) one that breaks the structure of JSON bodies, or a
 * rule of estimations and trees, with the line of each fault.
 */
export function createFileReader(): (format: Format, content: string) => Promise<CheckedIncoming> {
  const validate = validation.body(EstimationFile);
  const checkShape: CheckShape = (file) => {
    const unstorable = findUnstorable(file);
    if (unstorable.length > 0) return unstorable;
    const wrong = faultsOf(() => validate(file));
    return wrong.length > 0 ? wrong : ratesIn(file as FileShape);
  };
  return async (format, content) => {
    await inTurn(content.length, () => checkSize(format, content));
    const outcome =
      format === "json"
        ? await inTurns(content.length, importJson(content, checkShape))
        : await inTurn(content.length, () => importOutline(content, checkShape));
    if (outcome.ok) return outcome.incoming;
    return failWith(
      outcome.faults
        .toSorted((a, b) => a.line - b.line)
        .map(({ code = "wrong_format", line, message }) => ({ path: "/content", in: "body", code, message, line })),
    );
  };
}

interface FileShape {
  readonly estimation: Parameters<typeof rateFaults>[0];
}

const ratesIn = ({ estimation }: FileShape): PathFault[] =>
  rateFaults(estimation).map(({ path, ...fault }) => ({ ...fault, path: `/estimation${path}` }));

/** Bounds the work before any is done: as for the body of a tree, or by lines. */
function checkSize(format: Format, content: string): void {
  if (format === "json") {
    const { fault } = readStructure(Buffer.from(content), limits.treeBodyValues);
    if (fault) failWith([{ ...fault, path: "/content" }]);
    return;
  }
  const message = `must not have more than ${LINES} lines`;
  let lines = 0;
  for (const _ of eachLine(content)) {
    lines += 1;
    if (lines > LINES) failWith([{ path: "/content", in: "body", code: "too_many", message, expected: LINES }]);
  }
}

function faultsOf(check: () => void): readonly PathFault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Failure) return error.faults ?? [];
    throw error;
  }
}
