import { once } from "node:events";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "../harness.ts";

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Its header fields, by lowercased name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text, or its plain form where there are several. */
  readonly body: string;
  /** The same as an HTML document; empty where there is none. */
  readonly html: string;
}

/** A real SMTP server on this machine. */
export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Number of login attempts. */
  readonly logins: () => number;
  /** Refuses the next mails to this address with this SMTP code: one, or `times`. */
  refuse(code: number, address: string, times?: number): void;
  /** Refuses no more mails to this address. */
  accept(address: string): void;
  /** Waits for the mail number `count` to `address`, counted from 1. */
  mailTo(address: string, count?: number): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** Starts a mail server on the given port, or on a free one. */
export async function startMailServer(options: SMTPServerOptions = {}, onPort = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  /** What is still to be refused, by address. */
  const refusals = new Map<string, { readonly code: number; times: number }>();
  let logins = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(auth, _, callback) {
      logins += 1;
      callback(null, { user: auth.username });
    },
    onRcptTo({ address }, _, callback) {
      const refusal = refusals.get(address);
      if (!refusal || refusal.times === 0) return callback();
      refusal.times -= 1;
      callback(Object.assign(new Error("refused by the test"), { responseCode: refusal.code }));
    },
    onData(stream, session, callback) {
      void text(stream).then((source) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push(
          read(
            source,
            mailFrom ? mailFrom.address : "",
            rcptTo.map(({ address }) => address),
          ),
        );
        callback();
      });
    },
    ...options,
  });
  // A client that closes the connection is not an error of the server.
  server.on("error", () => {});
  const listener = server.listen(onPort, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    logins: () => logins,
    refuse: (code, address, times = 1) => void refusals.set(address, { code, times }),
    accept: (address) => void refusals.delete(address),
    mailTo: (to, count = 1) => until(() => mails.filter((mail) => mail.to.includes(to))[count - 1]),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns the token in the link of a mail; the one for unsubscribing is none. */
export const tokenIn = ({ body }: ReceivedMail): string => /(?<!unsubscribe)\?token=([\w-]+)/.exec(body)?.[1] ?? "";

/** Parses a mail's source, as far as the service's mails require: plain text, or that and HTML as alternatives. */
export function read(source: string, from: string, to: readonly string[]): ReceivedMail {
  const whole = readPart(source.replaceAll("\r\n", "\n"));
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/.exec(whole.headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return { from, to, headers: whole.headers, body: whole.body, html: "" };
  const parts = `\n${whole.raw}`
    .split(`\n--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.replace(/^\n/, "")));
  const bodyOf = (type: string) => parts.find(({ headers }) => headers["content-type"]?.startsWith(type))?.body ?? "";
  return { from, to, headers: whole.headers, body: bodyOf("text/plain"), html: bodyOf("text/html") };
}

function readPart(source: string): { readonly headers: Record<string, string>; readonly raw: string; body: string } {
  const [head = "", ...rest] = source.split("\n\n");
  const fields = head
    .replace(/\n\s+/g, " ")
    .split("\n")
    .map((line) => line.split(/:\s*(.*)/s));
  const headers = Object.fromEntries(fields.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
  const raw = rest.join("\n\n").trimEnd();
  const coding = headers["content-transfer-encoding"];
  const quoted = () =>
    Buffer.from(
      raw
        .replace(/=\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    ).toString("utf8");
  const body =
    coding === "quoted-printable"
      ? quoted()
      : coding === "base64"
        ? Buffer.from(raw, "base64").toString("utf8").trimEnd()
        : raw;
  return { headers, raw, body };
}
