import type { Attack, Stage } from "../attack.ts";
import { actSteadily } from "../hostile-receiver.ts";

const SILENT = 500;
const SILENT_ADDRESS = "127.0.0.67";
const TITLE = "Half-closed";

let token = "";
let answered = 0;
/** Requests under way when the attack ended. */
let cutOff = 0;
/** What was answered otherwise than it should be: the request and the status. */
let wrong: string[] = [];

/** Sends a request whose sender then closes its own half; returns the status, 0 without an answer. */
async function sendHalfClosed({ connect }: Stage): Promise<number> {
  const socket = connect();
  const body = JSON.stringify({ title: TITLE });
  const head = `POST /api/estimations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.end(head + body);
  await new Promise((resolve) => socket.once("close", resolve));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
}

export const attack: Attack = {
  what: `${SILENT} connections that say nothing, and from another address requests that are badly encoded, contain NUL, or come from a half-closed connection`,
  async prepare({ signUp }) {
    ({ token } = await signUp());
  },
  async run(stage) {
    const { connect, send, signal } = stage;
    [answered, cutOff, wrong] = [0, 0, []];
    for (let at = 0; at < SILENT; at += 1) connect(SILENT_ADDRESS);
    const expect = async (wanted: number, name: string, sent: Promise<{ readonly status: number }>) => {
      const { status } = await sent;
      if (!signal.aborted && status !== wanted) wrong.push(`${name}: ${status}`);
    };
    let at = 0;
    await actSteadily(stage, async () => {
      at += 1;
      if (at % 3 === 0) return expect(400, "a badly encoded query", send("GET", "/api/estimations?q=%ff", { token }));
      if (at % 3 === 1) {
        const body = JSON.stringify({ title: "\0" });
        return expect(400, "a NUL", send("POST", "/api/estimations", { token, body }));
      }
      const status = await sendHalfClosed(stage);
      if (status === 201) answered += 1;
      else if (signal.aborted) cutOff += 1;
      else wrong.push(`a half-closed request: ${status}`);
    });
  },
  async find({ pool }) {
    const { rows } = await pool.query<{ made: number }>(
      "select count(*)::int as made from estimations where title = $1",
      [TITLE],
    );
    const made = rows[0]?.made ?? 0;
    const line = `${made} estimations were made by half-closed requests, and ${answered} answered so`;
    return [
      { line, ok: answered > 0 && made >= answered && made <= answered + cutOff },
      {
        line: `${wrong.length} requests were answered wrongly ${[...new Set(wrong)].join(", ")}`.trimEnd(),
        ok: wrong.length === 0,
      },
    ];
  },
};
