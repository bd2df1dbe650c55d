import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { describe, expect, it } from "vitest";
import { until } from "../../tests/harness.ts";
import { readPassword } from "./read-password.ts";

/** A terminal, as a program that reads from it sees it. */
function terminal() {
  const stream = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode: () => stream });
  let shown = "";
  const reading = readPassword(stream as unknown as ReadStream, (text) => {
    shown += text;
  });
  return {
    reading,
    shown: () => shown,
    async response(question: string, text: string) {
      await until(() => shown.includes(question));
      stream.write(text);
    },
  };
}

describe("at a terminal", () => {
  it("asks twice, and shows nothing of what is typed", async () => {
    const { reading, shown, response } = terminal();
    await response("Password", "correct horsf\u007fe battery\r");
    await response("Again", "correct horse battery\r");
    expect(await reading).toBe("correct horse battery");
    expect(shown()).toBe("Password (none: one is made): \nAgain: \n");
  });

  it("treats empty input as no password, and does not ask twice", async () => {
    const { reading, shown, response } = terminal();
    await response("Password", "\r");
    expect(await reading).toBe("");
    expect(shown()).not.toContain("Again");
  });

  it("refuses two passwords that differ", async () => {
    const { reading, response } = terminal();
    reading.catch(() => {});
    await response("Password", "one password\r");
    await response("Again", "another password\r");
    await expect(reading).rejects.toThrow("the two passwords differ");
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("ends at %s", async (_, key) => {
    const { reading, response } = terminal();
    reading.catch(() => {});
    await response("Password", key);
    await expect(reading).rejects.toThrow("no account was made");
  });
});

describe("through a pipe that stays open", () => {
  const open = (waitMs?: number) => {
    const stream = new PassThrough();
    return { stream, reading: readPassword(stream as unknown as ReadStream, () => {}, waitMs) };
  };

  it.each([["nothing"], ["half a pass", "half a pass"]])(
    "refuses %s instead of accepting it as the password",
    async (_, ...chunks) => {
      const { stream, reading } = open(20);
      for (const chunk of chunks) stream.write(chunk);
      await expect(reading).rejects.toThrow(/^no line came through standard input within /);
    },
  );

  it("joins pieces until a line or the pipe ends", async () => {
    const line = open();
    for (const piece of ["correct ", "horse ", "battery\n"]) line.stream.write(piece);
    expect(await line.reading).toBe("correct horse battery");
    const end = open();
    for (const piece of ["correct ", "horse"]) end.stream.write(piece);
    end.stream.end();
    expect(await end.reading).toBe("correct horse");
  });

  it("treats an empty line as no password", async () => {
    const { stream, reading } = open();
    stream.write("\n");
    expect(await reading).toBe("");
  });

  it("stops reading a line that is too long for a password", async () => {
    const { stream, reading } = open();
    stream.write("x".repeat(100_000));
    expect([...(await reading)].length).toBeGreaterThan(128);
  });
});

describe("through a pipe", () => {
  const piped = async (...chunks: (string | Buffer)[]) => {
    const stream = new PassThrough();
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    return readPassword(stream as unknown as ReadStream, () => {});
  };

  it("takes the first line unchanged, without the line break", async () => {
    expect(await piped("correct horse battery\n")).toBe("correct horse battery");
    expect(await piped("correct horse battery\r\nanother line\n")).toBe("correct horse battery");
    expect(await piped("  spaces stay  ")).toBe("  spaces stay  ");
    const [first, second] = [Buffer.from("🐎🐎").subarray(0, 5), Buffer.from("🐎🐎").subarray(5)];
    expect(await piped(first, second, "\n")).toBe("🐎🐎");
  });

  it("treats empty input as no password", async () => {
    expect(await piped()).toBe("");
    expect(await piped("\n")).toBe("");
  });
});
