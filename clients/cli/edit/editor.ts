import { spawn } from "node:child_process";
import { once } from "node:events";
import { Failure } from "../failure.ts";
import type { Stop } from "../stop.ts";

/** Returns the command of the person's editor, which a shell reads: it may have options. */
const editorCommand = (): string =>
  process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");

/**
 * Opens a file in the person's editor and waits until it is closed. Ctrl-C meanwhile is the editor's. Throws `Failure` if the editor
 * cannot be started or ends with a fault, and what `stop` was aborted with.
 */
export async function openEditor(file: string, stop: Stop): Promise<void> {
  stop.signal.throwIfAborted();
  const command = editorCommand();
  const release = stop.hold();
  // The result of this program goes elsewhere; the editor is for the terminal.
  const stdio = ["inherit", process.stdout.isTTY ? "inherit" : 2, "inherit"] as const;
  // Without a shell that waits, so that a signal reaches the editor; `env` lets it begin with a variable.
  const child =
    process.platform === "win32"
      ? spawn(`${command} "${file}"`, { shell: true, stdio: [...stdio] })
      : spawn("sh", ["-c", `exec env ${command} "$@"`, command, file], { stdio: [...stdio] });
  const end = () => child.kill("SIGTERM");
  stop.signal.addEventListener("abort", end);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    stop.signal.throwIfAborted();
    if (signal === "SIGINT") throw new Failure("the editor was stopped", 130);
    if (code !== 0) throw new Failure(`the editor (${command}) ended with ${signal ?? code}`);
  } finally {
    stop.signal.removeEventListener("abort", end);
    release();
  }
}
