import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "../attack.ts";

const PER_SECOND = 200;

export const attack: Attack = {
  what: `${PER_SECOND} sign-ins a second through a proxy, each from another port of one address, which is one client`,
  env: { TRUST_PROXY: "127.0.0.66/32" },
  async run({ send, signal }) {
    const begun: Promise<unknown>[] = [];
    for (let at = 0; !signal.aborted; at += 1) {
      const headers = { "x-forwarded-for": `192.0.2.1:${1_024 + (at % 60_000)}` };
      const body = { email: `nobody-${at}@example.com`, password: "correct horse battery" };
      begun.push(send("POST", "/api/auth/login", { headers, body }));
      await wait(1_000 / PER_SECOND);
    }
    await Promise.all(begun);
  },
};
