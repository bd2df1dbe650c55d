import { readdir } from "node:fs/promises";
import { join } from "node:path";

const PACKAGE = "estimation-service";

/**
 * The configuration with which workerd runs `worker.js` of an empty project. workerd looks for nothing on disk by itself:
 * each module is listed under the name by which it is imported.
 */
export async function workerdConfig(folder: string): Promise<string> {
  const built = `node_modules/${PACKAGE}/webhooks`;
  const files = (await readdir(join(folder, built))).filter((file) => file.endsWith(".js"));
  const modules = [
    ["worker.js", "worker.js"],
    ["check.js", "check.js"],
    [`${PACKAGE}/webhooks`, `${built}/index.js`],
    ...files.map((file) => [`${PACKAGE}/${file}`, `${built}/${file}`]),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);

const worker :Workerd.Worker = (
  modules = [
${modules.map(([name, path]) => `    (name = "${name}", esModule = embed "${path}"),`).join("\n")}
  ],
  compatibilityDate = "2026-01-01",
);
`;
}
