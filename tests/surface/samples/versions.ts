import type { versions } from "../../../contract/endpoints/versions.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface VersionRecords {
  /** The first of two versions. */
  readonly version: string;
}

/** Leaves the estimation with content that no version has. */
export async function makeVersions({ call }: Making, { estimation }: EstimationRecords): Promise<VersionRecords> {
  const path = `/api/estimations/${estimation}`;
  const { version } = await call("POST", `${path}/versions`, { label: "First offer" });
  await call("PUT", path, { description: "A shop with sign-in, payment by card or on account, and a catalogue" });
  await call("POST", `${path}/versions`);
  await call("PUT", path, {
    description: "A shop with sign-in, payment by card or on account, and a searchable catalogue",
  });
  return { version: String(version?.id) };
}

export const versionSamples: Samples<typeof versions> = {
  listVersions: ({ estimation }) => ({ params: { id: estimation } }),
  createVersion: ({ estimation }) => ({ params: { id: estimation }, body: { label: "Offer" } }),
  getVersion: ({ estimation, version }) => ({ params: { id: estimation, versionId: version } }),
  nameVersion: ({ estimation, version }) => ({
    params: { id: estimation, versionId: version },
    body: { label: "Offer of June" },
  }),
  diffVersions: ({ estimation, version }) => ({ params: { id: estimation, versionId: version } }),
  restoreVersion: ({ estimation, version }) => ({ params: { id: estimation, versionId: version } }),
};
