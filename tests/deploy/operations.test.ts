import { readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { discard } from "../support/embedded/places.ts";
import { freePort } from "../support/free-port.ts";
import { runProgram } from "../support/program.ts";
import { ROOT, run } from "./install.ts";

const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
const [packing = "", installing = "", account = ""] = [...page.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(
  ([, text]) => text,
);

/**
 * Where systemd does not run, what `systemctl enable --now` does with the unit that was copied: its user, its settings, its
 * folders, its command. The ports are free ones, and the program is this Node.js.
 */
const systemctl = (port: number, metricsPort: number) => `
systemctl() {
  [ "$1" = enable ] || return 0
  unit=/etc/systemd/system/$3.service
  value() { sed -n "s/^$1=//p" "$unit"; }
  install -d -o estimation -g estimation -m 0700 /var/lib/$(value StateDirectory) /run/$(value RuntimeDirectory)
  sed -i 's/^METRICS_PORT=.*/METRICS_PORT=${metricsPort}/' /etc/estimation-service.env
  mapfile -t given < <(value Environment; cat "$(value EnvironmentFile | sed 's/^-//')"; echo PORT=${port})
  command=$(value ExecStart)
  cd "$(value WorkingDirectory)"
  setpriv --reuid=estimation --regid=estimation --clear-groups env -i PATH="$PATH" "\${given[@]}" \${command/\\/usr\\/bin\\/node/${process.execPath.replaceAll("/", "\\/")}} >/tmp/service.log 2>&1 &
  cd - >/dev/null
}
node() { ${process.execPath} "$@"; }
`;

test("a fresh server is installed by the commands of the page, in their order", async () => {
  expect(packing.trim().split("\n")).toEqual(["npm ci", "npm run pack"]);
  const place = await mkdtemp(join(tmpdir(), "estimation-server-"));
  onTestFinished(() => discard(place));
  await chmod(place, 0o755);
  const { stdout } = await run("npm", ["run", "--silent", "pack"], { cwd: ROOT });
  const file = stdout.trim().split("\n").at(-1) ?? "";
  // A machine of its own, but for its programs: what is written into these folders is seen only there.
  const fresh = ["etc", "opt", "var/lib", "run", "tmp"];
  for (const folder of [...fresh, "root"]) await mkdir(join(place, folder), { recursive: true });
  await run("cp", ["-a", "/etc/.", join(place, "etc")]);
  await chmod(join(place, "tmp"), 0o1777);
  await mkdir(join(place, "etc/systemd/system"), { recursive: true });
  await copyFile(file, join(place, "root", file.split("/").at(-1) ?? ""));
  await rm(file);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const script = [
    "set -euo pipefail",
    ...fresh.filter((folder) => folder !== "tmp").map((folder) => `mount --bind ${place}/${folder} /${folder}`),
    systemctl(port, metricsPort),
    `cd ${place}/root`,
    installing.replace("127.0.0.1:3000", `127.0.0.1:${port}`),
    // A program that is started by `runuser` is no function of this shell.
    account.replace("  node ", `  ${process.execPath} `),
    `curl --silent --fail http://127.0.0.1:${metricsPort}/metrics | grep estimation_database_up`,
    "kill %1; wait %1",
  ].join("\n");
  await writeFile(join(place, "install.sh"), script);
  const shell = runProgram(["unshare", "--mount", "bash", join(place, "install.sh")]);
  const code = await shell.ended;
  expect([code, shell.printed.err]).toEqual([0, expect.any(String)]);
  expect(shell.printed.out).toContain('{"status":"ready"}');
  expect(shell.printed.out).toMatch(/ada@example\.com/);
  expect(shell.printed.out).toContain("estimation_database_up 1");
});
