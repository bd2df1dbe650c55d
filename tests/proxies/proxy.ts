import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { until } from "../harness.ts";
import { atEndOfFile } from "../support/end-of-file.ts";
import { freePort } from "../support/free-port.ts";
import { certify } from "../support/receiver.ts";

/** A program with our configuration for it, in front of a service on this machine. */
export interface ProxyProcess {
  readonly port: number;
  /** The authority of its certificate, in PEM. */
  readonly ca: string;
  /** All that it has logged. */
  logs(): Promise<string>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly servicePorts: readonly number[];
  readonly certificate: string;
  readonly key: string;
}

interface Kind {
  readonly file: string;
  /** What Debian calls the package. */
  readonly package: string;
  /** What is replaced in our configuration: addresses, ports, paths. Each has to occur. */
  replaced(place: Place): readonly (readonly [string, string])[];
  command(config: string, place: Place): readonly [string, ...string[]];
}

const SITE = "estimation.example.com";
const LETS_ENCRYPT = `/etc/letsencrypt/live/${SITE}`;

/** What the configuration says to replace for Debian 12's Caddy. */
export const FOR_CADDY_2_6 = [["\trequest_buffers 16MiB", "\tbuffer_requests\n\t\tmax_buffer_size 16MiB"]] as const;

const kinds = {
  nginx: {
    file: "nginx.conf",
    package: "nginx-light",
    replaced: ({ folder, port, plainPort, servicePorts, certificate, key }) => [
      ["/var/log/nginx/", `${folder}/`],
      [`${LETS_ENCRYPT}/fullchain.pem`, certificate],
      [`${LETS_ENCRYPT}/privkey.pem`, key],
      [
        "server 127.0.0.1:3000 fail_timeout=1s;",
        servicePorts.map((each) => `server 127.0.0.1:${each} fail_timeout=1s;`).join(" "),
      ],
      ["listen 80 ", `listen 127.0.0.1:${plainPort} `],
      ["listen 443 ", `listen 127.0.0.1:${port} `],
      ["listen [::]:80 ", `listen [::1]:${plainPort} `],
      ["listen [::]:443 ", `listen [::1]:${port} `],
    ],
    command: (config, { folder }) => ["nginx", "-c", config, "-g", `daemon off; pid ${folder}/nginx.pid;`],
  },
  caddy: {
    file: "Caddyfile",
    package: "caddy",
    replaced: ({ port, servicePorts, certificate, key }) => [
      ["127.0.0.1:3000", servicePorts.map((each) => `127.0.0.1:${each}`).join(" ")],
      ...FOR_CADDY_2_6,
      // Without a certificate from the internet, the port for plain HTTP, and the port for its administration.
      [`\n{$SITE:${SITE}} {`, `\nhttps://localhost:${port} {\n\ttls ${certificate} ${key}`],
      ["\n{\n", "\n{\n\tadmin off\n\tauto_https disable_redirects\n"],
    ],
    command: (config) => ["caddy", "run", "--adapter", "caddyfile", "--config", config],
  },
} satisfies Record<string, Kind>;

/** Our configuration as an operator copies it. */
export const ownConfig = (name: keyof typeof kinds): string =>
  new URL(`../../deploy/${kinds[name].file}`, import.meta.url).pathname;

/** Starts Debian's nginx or Caddy in front of the processes on these ports. Fails where it is not installed. */
export async function startProxy(name: keyof typeof kinds, ...servicePorts: number[]): Promise<ProxyProcess> {
  const kind: Kind = kinds[name];
  const folder = await mkdtemp(join(tmpdir(), `estimation-${name}-`));
  // nginx's processes are another user's.
  await chmod(folder, 0o755);
  const pems = await certify(["localhost"]);
  const [port, plainPort] = [await freePort(), await freePort()];
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const place = { folder, port, plainPort, servicePorts, certificate, key };
  await writeFile(certificate, pems.cert);
  await writeFile(key, pems.private);
  let config = readFileSync(ownConfig(name), "utf8");
  for (const [ours, here] of kind.replaced(place)) {
    if (!config.includes(ours)) throw new Error(`deploy/${kind.file} has no ${ours}`);
    config = config.replaceAll(ours, here);
  }
  await writeFile(join(folder, kind.file), config);
  const [program, ...words] = kind.command(join(folder, kind.file), place);
  const child = spawn(pathOf(program, kind.package), words, { cwd: folder, env: { HOME: folder } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      printed += part.toString();
    });
  const ended = once(child, "close");
  atEndOfFile(async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} did not start:\n${printed}`);
    return isListening(port);
  });
  return {
    port,
    ca: pems.cert,
    async logs() {
      const files = (await readdir(folder)).filter((file) => file.endsWith(".log"));
      return printed + (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join("");
    },
  };
}

/** Returns where a program is; throws if it is not installed, as a proof that is left out proves nothing. */
export function pathOf(program: string, debianPackage: string): string {
  const folders = [
    "/usr/local/sbin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/bin",
    ...(process.env.PATH ?? "").split(":"),
  ];
  for (const folder of folders) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // It is elsewhere.
    }
  }
  throw new Error(`${program} is not installed: run apt-get install ${debianPackage}`);
}

function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  return new Promise((resolve) => {
    socket.once("secureConnect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

export interface Response {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Returns what sends requests to a proxy from an address of this machine, on connections that it keeps. */
export function clientAt({ port, ca }: ProxyProcess, from: string) {
  const agent = new Agent({ keepAlive: true, ca, localAddress: from });
  atEndOfFile(async () => agent.destroy());
  return async (
    method: string,
    path: string,
    { token, body, headers = {} }: { token?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    const sent = request(`https://localhost:${port}${path}`, {
      method,
      agent,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      family: 4,
    });
    sent.end(body);
    const [response] = await once(sent, "response");
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  };
}
