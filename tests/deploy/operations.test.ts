import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { discard } from "../support/embedded/places.ts";
import { freePort } from "../support/free-port.ts";
import { runProgram } from "../support/program.ts";
import { makeArchive, ROOT, run } from "./install.ts";

const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
const [packing = "", installing = "", account = ""] = [...page.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(
  ([, text]) => text,
);
const [, upgrading = ""] = page.match(/^## Upgrading\n[^`]*```text\n([\s\S]*?)^```/m) ?? [];

/**
 * Where systemd does not run, what `systemctl enable --now` does with the unit that was copied: its user, its settings, its
 * folders, its command. The ports are free ones, and the program is this Node.js.
 */
const systemctl = (port: number, metricsPort: number) => `
systemctl() {
  if [ "$1" = restart ]; then kill %%; wait %%; begin $2; fi
  [ "$1" = enable ] || return 0
  unit=/etc/systemd/system/$3.service
  value() { sed -n "s/^$1=//p" "$unit"; }
  install -d -o estimation -g estimation -m 0700 /var/lib/$(value StateDirectory) /run/$(value RuntimeDirectory)
  sed -i 's/^METRICS_PORT=.*/METRICS_PORT=${metricsPort}/' /etc/estimation-service.env
  begin $3
}
begin() {
  unit=/etc/systemd/system/$1.service
  mapfile -t given < <(value Environment; cat "$(value EnvironmentFile | sed 's/^-//')"; echo PORT=${port})
  command=$(value ExecStart)
  cd "$(value WorkingDirectory)"
  setpriv --reuid=estimation --regid=estimation --clear-groups env -i PATH="$PATH" "\${given[@]}" \${command/\\/usr\\/bin\\/node/${process.execPath.replaceAll("/", "\\/")}} >/tmp/service.log 2>&1 &
  cd - >/dev/null
}
node() { ${process.execPath} "$@"; }
`;

test("a fresh server is installed, and upgraded, by the commands of the page, in their order", async () => {
  expect(packing.trim().split("\n")).toEqual(["npm ci", "npm run pack"]);
  const place = await mkdtemp(join(tmpdir(), "estimation-server-"));
  onTestFinished(() => discard(place));
  await chmod(place, 0o755);
  // A machine of its own, but for its programs: what is written into these folders is seen only there.
  const fresh = ["etc", "opt", "var/lib", "run", "tmp", "root"];
  for (const folder of fresh) await mkdir(join(place, folder), { recursive: true });
  await run("cp", ["-a", "/etc/.", join(place, "etc")]);
  await chmod(join(place, "tmp"), 0o1777);
  await mkdir(join(place, "etc/systemd/system"), { recursive: true });
  await makeArchive("npm run --silent pack", join(place, "root"));
  const [port, metricsPort] = [await freePort(), await freePort()];
  const script = [
    "set -euo pipefail",
    ...fresh.filter((folder) => folder !== "tmp").map((folder) => `mount --bind ${place}/${folder} /${folder}`),
    systemctl(port, metricsPort),
    "cd /root",
    installing.replace("127.0.0.1:3000", `127.0.0.1:${port}`),
    // A program that is started by `runuser` is no function of this shell.
    account.replace("  node ", `  ${process.execPath} `),
    `curl --silent --fail http://127.0.0.1:${metricsPort}/metrics | grep estimation_database_up`,
    `cd /root && ${upgrading.replace("estimation-service-NEW.tgz", "estimation-service-*.tgz")}`,
    `curl --silent --show-error --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/readyz`,
    "ls -d /opt/*",
    account
      .replace("  node ", `  ${process.execPath} `)
      .replace("user add ada@example.com --verified", "user export ada@example.com"),
    "kill %%; wait %%",
  ].join("\n");
  await writeFile(join(place, "install.sh"), script);
  const shell = runProgram(["unshare", "--mount", "bash", join(place, "install.sh")]);
  const code = await shell.ended;
  expect([code, shell.printed.err]).toEqual([0, expect.any(String)]);
  expect(shell.printed.out.match(/{"status":"ready"}/g)).toHaveLength(2);
  expect(shell.printed.out).toMatch(/ada@example\.com/);
  expect(shell.printed.out).toContain("/opt/estimation-service\n/opt/estimation-service-before\n");
  // The account is there after upgrading.
  expect(shell.printed.out).toContain('"email": "ada@example.com"');
  expect(shell.printed.out).toContain("estimation_database_up 1");
});
