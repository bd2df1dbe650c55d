import { afterAll, expect, test } from "vitest";
import { faultOf } from "../../clients/cli/listen/signature.ts";
import { createClient } from "../../contract/client/client.ts";
import { start, until } from "../harness.ts";
import { startMailServer, tokenIn } from "../support/mail-server.ts";
import { startReceiver } from "../support/receiver.ts";

const mail = await startMailServer();
const app = await start({ worker: true, config: { smtpUrl: mail.url, webUrl: "https://app.example.org" } });
const receiver = await startReceiver();
receiver.trustedBy(app.services.config.dataDir);
afterAll(() => Promise.all([mail.stop(), receiver.close()]));

const password = "a long enough password";

/** Registers and confirms the address by the mailed link, as people do. Returns a client with the session. */
async function join(email: string) {
  let token: string | null = null;
  const client = createClient(app.url, () => token);
  const registered = (await client.registerUser({ body: { email, password } })).data;
  token = registered.token;
  const link = await until(() => mail.mails.find(({ to, body }) => to.includes(email) && tokenIn({ body } as never)));
  await client.verifyEmail({ body: { token: tokenIn(link) } });
  return { client, userId: registered.user.id };
}

test("an estimation goes from its author by mail to somebody without an account, who reads, edits and at last owns it", async () => {
  const { client: author, userId: authorId } = await join("author@example.com");
  const params = { id: (await author.createEstimation({ body: { title: "Checkout" } })).data.estimation.id };
  const body = { url: `${receiver.url}/shares`, events: ["share.invited", "share.accepted"] as const };
  const { secret } = (
    await author.createWebhook({ body: { ...body, events: [...body.events], bodyFormat: "envelope" } })
  ).data;

  const email = "newcomer@example.com";
  const { share } = (await author.createShare({ params, body: { email, permission: "edit" } })).data;
  const invitation = await mail.mailTo(email);
  expect(invitation.body).toContain(`https://app.example.org/shared?accept=${share.id}`);
  expect(invitation.body).not.toContain("Checkout");

  const { client: newcomer, userId } = await join(email);
  // Confirming the address accepted the invitation.
  const { estimations } = (await newcomer.listEstimations({ query: { access: ["editor"] } })).data;
  expect(estimations.map(({ id }) => id)).toEqual([params.id]);
  await newcomer.createNode({ params, body: { title: "Payment", kind: "group" } });
  const accepted = (await newcomer.acceptShare({ params: { shareId: share.id } })).data.share;
  expect([accepted.status, accepted.userId]).toEqual(["accepted", userId]);

  const requests = await until(() => receiver.requests.length >= 2 && receiver.requests);
  for (const request of requests)
    expect(faultOf({ ...request, body: Buffer.from(request.body), secret, now: app.clock.now() })).toBeNull();
  const told = new Map(requests.map(({ body: text }) => [JSON.parse(text).event, JSON.parse(text).data]));
  expect([...told.keys()].sort()).toEqual(["share.accepted", "share.invited"]);
  expect(told.get("share.accepted")).toEqual({
    shareId: share.id,
    estimationId: params.id,
    accepterEmail: userId,
    accepterUserId: userId,
  });
  expect(JSON.stringify([...told.values()])).not.toContain(email);

  const moved = (await author.transferEstimation({ params, body: { userId } })).data.estimation;
  expect([moved.ownerId, moved.access]).toEqual([userId, "editor"]);
  const { shares } = (await newcomer.listShares({ params })).data;
  expect(shares.map((one) => [one.userId, one.permission])).toEqual([[authorId, "edit"]]);
  await newcomer.deleteShare({ params: { shareId: shares[0]?.id ?? "" } });
  await expect(author.getEstimation({ params })).rejects.toThrow("not_found");
});
