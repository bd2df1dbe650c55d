import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { patient } from "../support/patience.ts";

// Its own programs and its own browser: beside other tests, the times of this run's browser would be those of all.
test("the sizes of the web application, and its work beside an empty page's, are kept", {
  timeout: patient(900_000),
}, async () => {
  const [code, output] = await new Promise<[unknown, string]>((ended) =>
    execFile(process.execPath, ["bench/web/main.ts", "ratios"], (error, stdout, stderr) =>
      ended([error?.code ?? 0, stdout + stderr]),
    ),
  );
  expect(code, output).toBe(0);
  // Each was judged.
  for (const what of ["keys and clicks", "while a tree is scrolled", "first paint, editor", "layout shift"])
    expect(output).toMatch(new RegExp(`${what}.*reached$`, "m"));
});
