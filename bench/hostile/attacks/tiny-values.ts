import type { Attack } from "../attack.ts";

/** 16 MiB of the smallest objects there are, and 1 MB of them to a path that needs no account. */
const tree = `{"nodes":[${"{},".repeat(5_592_400)}{}]}`;
const login = `{"email":[${"{},".repeat(333_000)}{}],"password":"x"}`;

let token = "";
let path = "";

export const attack: Attack = {
  what: "bodies of very many tiny values: 16 MiB to a tree one after the other, and 1 MB to login ten times a second",
  memoryMiB: 2_048,
  async prepare({ signUp, send }) {
    ({ token } = await signUp());
    const made = await send("POST", "/api/estimations", { token, body: { title: "Large" } });
    path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}/tree`;
  },
  async run({ repeat, send, signal }) {
    const trees = repeat(1, () => send("PUT", path, { token, body: tree }));
    const every = setInterval(() => void send("POST", "/api/auth/login", { body: login }), 100);
    signal.addEventListener("abort", () => clearInterval(every));
    await trees;
  },
};
