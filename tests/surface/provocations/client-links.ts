import { limits } from "../../../contract/limits.ts";
import type { Provocation, Provoking } from "./provoking.ts";
import { newcomer, userWithTexts } from "./users.ts";

const hours = { shows: "hours", percentile: "expected", choices: false, descriptions: false } as const;
const price = { ...hours, shows: "price" } as const;

export const clientLinkErrors = ({ app, asOwner }: Provoking) => {
  /** The path of the links of a new estimation. */
  async function fresh(fields: object = {}): Promise<string> {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "Shop", ...fields } });
    return `/api/estimations/${data.estimation?.id}/links`;
  }

  const withRate = { hourlyRate: 100, currency: "EUR" };

  async function linked(of: object = {}, fields: object = {}) {
    const path = await fresh(fields);
    const { data } = await asOwner("POST", path, { body: { ...hours, ...of } });
    return { path, link: `${path}/${data.link?.id}`, token: String(data.url).split("/").at(-1) };
  }

  const client = { name: "Robin", email: "robin@client.example" };
  const accept = (token: string | undefined, body: object = {}) =>
    app.request("POST", `/api/links/${token}/accept`, { body: { ...client, ...body } });
  const comment = (token: string | undefined, body: object = {}) =>
    app.request("POST", `/api/links/${token}/comment`, { body: { ...client, note: "?", ...body } });
  const select = { selection: { select: [`opt_${"0".repeat(26)}`], deselect: [] } };

  async function accepted() {
    const made = await linked();
    await accept(made.token);
    return made;
  }
  /** A link with choices to an estimation with an open question. */
  async function undecided(): Promise<string | undefined> {
    const path = await fresh();
    const nodes = [{ title: "Payment", kind: "single", required: true, options: [{ title: "Card", hours: 1 }] }];
    await asOwner("PUT", path.replace("/links", "/tree"), { body: { nodes } });
    const { data } = await asOwner("POST", path, { body: { ...hours, choices: true } });
    return String(data.url).split("/").at(-1);
  }
  const withChoices = { ...hours, choices: true } as const;
  /** The path of the links of an estimation with a question that nobody can answer. */
  async function unanswerable(of: object = hours) {
    const made = await linked(of);
    const nodes = [{ title: "Extras", kind: "multi", max: 2, options: [{ title: "Search", hours: 1 }] }];
    await asOwner("PUT", made.path.replace("/links", "/tree"), { body: { nodes } });
    return made;
  }
  const proposalAccepted = async () => accept((await accepted()).token);
  const proposalChanged = async () => accept((await linked()).token, { edition: 2 });
  const choicesFixed = async () => accept((await linked()).token, select);
  const acceptanceMissing = async () => asOwner("POST", `${(await linked()).link}/apply`);

  const rateMissing = async () => asOwner("POST", await fresh(), { body: price });
  const rateWouldShow = async () => asOwner("POST", (await linked({}, withRate)).path, { body: price });
  const full = async () => {
    const { path } = await linked();
    await app.pool.query(
      `insert into client_links select (jsonb_populate_record(l, jsonb_build_object(
         'id', 'lnk_' || left(md5(l.id || n), 26), 'token_hash', '\\x' || md5(l.id || n)))).*
       from client_links l, generate_series(2, $2::int) n where l.estimation_id = $1`,
      [path.split("/")[3], limits.linksPerEstimation],
    );
    return path;
  };
  /** A link whose owner has no room for texts left. */
  const withoutRoom = async () => {
    const { send, useUp } = await userWithTexts(app);
    const { data } = await send("POST", "/links", hours);
    await useUp();
    return { send, link: `/links/${data.link?.id}` };
  };
  /** A new owner with a link, who can have the room for versions or for texts used up. */
  const ofUser = async () => {
    const { send, userId } = await newcomer(app);
    const { data } = await send("POST", "/links", hours);
    const { versionBytes, textBytes } = app.services.config.quotas;
    const fill = (column: string, value: number) => async () =>
      void (await app.pool.query(`update estimation_usage set ${column} = $1 where owner_id = $2`, [value, userId]));
    return {
      send,
      link: `/links/${data.link?.id}`,
      token: String(data.url).split("/").at(-1),
      useUp: fill("version_bytes", versionBytes),
      useUpTexts: fill("text_steps", textBytes / (64 * 1024) + 1),
    };
  };
  const afterRevoking = async () => {
    const { link } = await linked();
    await asOwner("DELETE", link);
    return link;
  };
  const linkRevoked = async () => asOwner("POST", `${await afterRevoking()}/publish`);
  const expired = async () => (await linked({ expiresAt: app.clock.now().toISOString() })).token;
  const linkExpired = async () => app.request("GET", `/api/links/${await expired()}`);

  return {
    rate_missing: rateMissing,
    rate_would_show: rateWouldShow,
    link_revoked: linkRevoked,
    link_expired: linkExpired,
    "createClientLink rate_missing": rateMissing,
    "createClientLink rate_would_show": rateWouldShow,
    "createClientLink limit_reached": async () => asOwner("POST", await full(), { body: hours }),
    "createClientLink tree_incomplete": async () => asOwner("POST", (await unanswerable()).path, { body: withChoices }),
    "updateClientLink tree_incomplete": async () => {
      const { link } = await unanswerable();
      await asOwner("POST", `${link}/publish`);
      return asOwner("PATCH", link, { body: { choices: true } });
    },
    "publishClientLink tree_incomplete": async () =>
      asOwner("POST", `${(await unanswerable(withChoices)).link}/publish`),
    "updateClientLink rate_missing": async () =>
      asOwner("PATCH", (await linked()).link, { body: { shows: "price", confirmRate: true } }),
    "updateClientLink rate_would_show": async () => {
      const { link } = await linked({}, withRate);
      return asOwner("PATCH", link, { body: { shows: "price" } });
    },
    "updateClientLink limit_reached": async () => {
      const { send, link } = await withoutRoom();
      return send("PATCH", link, { shows: "hoursRange" });
    },
    "updateClientLink link_revoked": async () => asOwner("PATCH", await afterRevoking(), { body: { title: "x" } }),
    "publishClientLink rate_missing": async () => {
      const { path, link } = await linked({ shows: "price" }, withRate);
      await asOwner("PUT", path.replace("/links", ""), { body: { hourlyRate: null } });
      return asOwner("POST", `${link}/publish`);
    },
    "publishClientLink limit_reached": async () => {
      const { send, link } = await withoutRoom();
      await send("PUT", "", { title: "Another, longer title" });
      return send("POST", `${link}/publish`);
    },
    "publishClientLink link_revoked": linkRevoked,
    "getProposal link_expired": linkExpired,
    proposal_accepted: proposalAccepted,
    proposal_changed: proposalChanged,
    choices_fixed: choicesFixed,
    acceptance_missing: acceptanceMissing,
    "updateClientLink proposal_accepted": async () =>
      asOwner("PATCH", (await accepted()).link, { body: { choices: true } }),
    "publishClientLink proposal_accepted": async () => asOwner("POST", `${(await accepted()).link}/publish`),
    "applyAcceptance acceptance_missing": acceptanceMissing,
    "applyAcceptance limit_reached": async () => {
      const { send, link, token, useUp } = await ofUser();
      await accept(token);
      await send("PUT", "", { title: "y" });
      await useUp();
      return send("POST", `${link}/apply`);
    },
    "tryProposal link_expired": async () =>
      app.request("POST", `/api/links/${await expired()}/what-if`, { body: select.selection }),
    "tryProposal choices_fixed": async () =>
      app.request("POST", `/api/links/${(await linked()).token}/what-if`, { body: select.selection }),
    "acceptProposal link_expired": async () => accept(await expired()),
    "acceptProposal proposal_changed": proposalChanged,
    "acceptProposal proposal_accepted": proposalAccepted,
    "acceptProposal choices_fixed": choicesFixed,
    "acceptProposal tree_incomplete": async () => accept(await undecided()),
    "acceptProposal limit_reached": async () => {
      const { token, useUpTexts } = await ofUser();
      await useUpTexts();
      return accept(token);
    },
    "commentOnProposal link_expired": async () => comment(await expired()),
    "commentOnProposal proposal_changed": async () => comment((await linked()).token, { edition: 2 }),
    "commentOnProposal choices_fixed": async () => comment((await linked()).token, select),
    "commentOnProposal limit_reached": async () => {
      const { token, useUpTexts } = await ofUser();
      await useUpTexts();
      return comment(token);
    },
  } satisfies Record<string, Provocation>;
};
