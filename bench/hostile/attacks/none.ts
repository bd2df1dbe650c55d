import { once } from "node:events";
import type { Attack } from "../attack.ts";

export const attack: Attack = {
  what: "nothing at all: how far two quiet times of this machine differ",
  async run({ signal }) {
    if (!signal.aborted) await once(signal, "abort");
  },
};
