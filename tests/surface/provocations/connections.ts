import { start } from "../../harness.ts";
import type { Provocation, Provoking } from "./provoking.ts";

export const connectionErrors = ({ app }: Provoking) => {
  return {
    "createConnection limit_reached": async () => {
      const small = await start({ config: { quotas: { ...app.services.config.quotas, connections: 0 } } });
      const { token } = await small.signUp();
      return small.request("POST", "/api/connections", {
        token,
        body: { target: "github", name: "x", token: "ghp_x" },
      });
    },
  } satisfies Record<string, Provocation>;
};
