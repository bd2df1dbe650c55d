import type { clientLinks } from "../../../contract/endpoints/client-links.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface ClientLinkRecords {
  /** One of two links of the estimation. */
  readonly link: string;
  /** What the address of its page ends with. */
  readonly linkToken: string;
  /** One that was accepted. */
  readonly acceptedLink: string;
}

const shown = { shows: "hours", percentile: "p80", choices: true, descriptions: false } as const;

const client = { name: "Robin Client", email: "robin@client.example" };

/** Makes two links of the estimation, the first of which is accepted. */
export async function makeClientLinks(
  { app, call }: Making,
  { estimation }: EstimationRecords,
): Promise<ClientLinkRecords> {
  const path = `/api/estimations/${estimation}/links`;
  const first = await call("POST", path, { ...shown, title: "For the board" });
  const page = `/api/links/${String(first.url).split("/").at(-1)}`;
  await app.request("POST", `${page}/comment`, { body: { ...client, note: "When could you begin?" } });
  await app.request("POST", `${page}/accept`, { body: client });
  const { link, url } = await call("POST", path, shown);
  return {
    link: String(link?.id),
    linkToken: String(url).split("/").at(-1) ?? "",
    acceptedLink: String(first.link?.id),
  };
}

const ofLink = ({ estimation, link }: EstimationRecords & ClientLinkRecords) => ({
  params: { id: estimation, linkId: link },
});

export const clientLinkSamples: Samples<typeof clientLinks> = {
  listClientLinks: ({ estimation }) => ({ params: { id: estimation } }),
  createClientLink: ({ estimation }) => ({
    params: { id: estimation },
    body: { ...shown, title: "Checkout, first part" },
  }),
  getClientLink: (world) => ofLink(world),
  updateClientLink: (world) => ({
    ...ofLink(world),
    body: { title: "Checkout", expiresAt: null },
  }),
  publishClientLink: (world) => ofLink(world),
  deleteClientLink: (world) => ofLink(world),
  listClientAnswers: ({ estimation, acceptedLink }) => ({ params: { id: estimation, linkId: acceptedLink } }),
  applyAcceptance: ({ estimation, acceptedLink }) => ({ params: { id: estimation, linkId: acceptedLink } }),
  tryProposal: ({ linkToken }) => ({ params: { token: linkToken }, body: { select: [], deselect: [] } }),
  acceptProposal: ({ linkToken }) => ({ params: { token: linkToken }, body: { ...client, edition: 1 } }),
  commentOnProposal: ({ linkToken }) => ({
    params: { token: linkToken },
    body: { ...client, note: "When could you begin?" },
  }),
  getProposal: ({ linkToken }) => ({ params: { token: linkToken } }),
};
