import type { Provocation, Provoking } from "./provoking.ts";
import { userWithVersions } from "./users.ts";

export const versionErrors = ({ app, path, asOwner }: Provoking) => {
  const headMoved = () => asOwner("POST", `${path}/versions`, { body: { expectedHeadVersionId: "none" } });

  return {
    head_moved: headMoved,
    "createVersion limit_reached": async () => (await userWithVersions(app)).send("POST", "/versions"),
    "createVersion head_moved": headMoved,
    "restoreVersion limit_reached": async () => {
      const { send, version } = await userWithVersions(app);
      return send("POST", `/versions/${version}/restore`);
    },
  } satisfies Record<string, Provocation>;
};
