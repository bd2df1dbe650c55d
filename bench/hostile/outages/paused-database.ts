import type { Outage } from "../outage.ts";

export const outage: Outage = {
  what: "PostgreSQL is paused (SIGSTOP) and goes on later",
  begin: ({ signalDatabase }) => signalDatabase("SIGSTOP"),
  end: ({ signalDatabase }) => signalDatabase("SIGCONT"),
};
