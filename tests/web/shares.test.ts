import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { startMailServer } from "../support/mail-server.ts";
import { press } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const mail = await startMailServer();
// With a mail server, only those who have opened a mailed link count as verified.
const app = await start({
  pages: true,
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", mailFrom: "Estimations <no-reply@example.org>" },
});

/** Returns where a link of the mail number `count` to `address` leads, without its origin. */
async function mailedPath(address: string, path: string, count = 1): Promise<string> {
  const { body } = await until(async () => {
    await makeJobsDue(app.pool);
    return mail.mails.filter(({ to, body }) => to.includes(address) && body.includes(path))[count - 1];
  });
  return new RegExp(`https://app\\.example\\.org(${path.replace("?", "\\?")}\\S*)`).exec(body)?.[1] ?? "";
}

const verify = (userId: string) => app.pool.query("update users set email_verified_at = now() where id = $1", [userId]);

test("an owner shares with a newcomer, who registers from the mail; then the owner hands over and loses nothing", async () => {
  const owner = await app.signUp("olga@example.com");
  const id = await (async () => {
    const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
    return String(data.estimation?.id);
  })();
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  await page.getByRole("link", { name: "Shares" }).click();
  const address = page.getByLabel("Share with");
  await address.fill("newcomer@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Confirm your e-mail address first").waitFor();
  await verify(owner.userId);
  await address.fill("nobody");
  await page.keyboard.press("Enter");
  await page.getByText("No one found by “nobody”. Enter the e-mail address.").waitFor();
  // A part of a name is enough where one person has it.
  const known = await app.signUp("margaret@example.com");
  await verify(known.userId);
  await app.request("PATCH", "/api/auth/me", { token: known.token, body: { name: "Margaret Hamilton" } });
  const body = { email: known.email, permission: "read" };
  const shared = await app.request("POST", `/api/estimations/${id}/shares`, { token: owner.token, body });
  await app.request("POST", `/api/shares/${shared.data.share?.id}/accept`, { token: known.token });
  await address.fill("hamil");
  await page.keyboard.press("Enter");
  await until(async () => (await address.inputValue()) === known.email);
  await address.fill("newcomer@example.com");
  for (const key of ["Tab", "ArrowDown", "Tab", "Enter"]) await page.keyboard.press(key);
  await page.getByText("Invitation sent to newcomer@example.com.").waitFor();
  const row = page.getByRole("row", { name: "newcomer" });
  expect(await row.innerText()).toMatch(/Invited now, valid until \d/);

  // The mail's link: the newcomer is asked to sign in, registers instead, confirms the address, and is there.
  const link = await mailedPath("newcomer@example.com", "/shared?accept=");
  const theirs = await (await openBrowser(app)).newPage();
  await theirs.goto(link);
  await theirs.getByRole("link", { name: "Create an account" }).click();
  await theirs.getByRole("heading", { name: "Create an account" }).waitFor();
  await theirs.getByLabel("E-mail address").fill("newcomer@example.com");
  await theirs.getByLabel("Password", { exact: true }).fill("difference engine");
  await press(theirs, "Create account");
  await theirs.getByRole("heading", { name: "Confirm your e-mail address first" }).waitFor();
  expect(theirs.url()).toBe(app.url + link);
  const other = await theirs.context().newPage();
  await other.goto(await mailedPath("newcomer@example.com", "/verify-email"));
  await press(other, "Confirm address");
  await other.getByRole("heading", { name: "E-mail address confirmed" }).waitFor();
  await press(theirs, "I’ve confirmed it");
  await theirs.getByRole("heading", { name: "Shop" }).waitFor();
  expect(new URL(theirs.url()).pathname).toBe(`/estimations/${id}`);
  await theirs.getByRole("button", { name: "Submit" }).waitFor();
  // Who may edit makes links for clients there.
  await theirs.getByRole("link", { name: "Shares" }).click();
  await theirs.getByRole("heading", { name: "Only the owner manages access" }).waitFor();
  await theirs.getByRole("button", { name: "New link" }).waitFor();
  expect(await theirs.getByLabel("Share with").count()).toBe(0);

  // The permission changes at once, and after a refusal the stored one shows.
  await page.reload();
  await row.getByText("Joined").waitFor();
  await row.getByRole("combobox").selectOption("view");
  await until(async () => {
    const response = await app.request("GET", `/api/estimations/${id}/shares`, { token: owner.token });
    return response.data.shares?.[0]?.permission === ("view" as never);
  });
  await page.route("**/api/estimations/*/shares", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await row.getByRole("combobox").selectOption("edit");
  await page.getByRole("alert").getByText("Can’t reach the service.").waitFor();
  await until(async () => (await row.getByRole("combobox").inputValue()) === "view");
  await page.unroute("**/api/estimations/*/shares");
  await row.getByRole("combobox").selectOption("edit");
  await until(async () => !(await page.getByRole("alert").isVisible()));

  // People who may be found are proposed by their name; what was sent can be revoked, and handing over is asked twice.
  await address.fill("newc");
  await until(async () => (await page.locator("datalist option").getAttribute("value")) === "newcomer@example.com");
  await address.fill("wrong@example.com");
  await press(page, "Send invitation");
  const wrong = page.getByRole("row", { name: "wrong@example.com" });
  await wrong.getByRole("button", { name: "Actions for wrong@example.com" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu", { name: "Actions for wrong@example.com" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Invitation sent to wrong@example.com again.").waitFor();
  await wrong.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Revoke invitation" }).click();
  await until(async () => (await wrong.count()) === 0);
  await row.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Make owner" }).click();
  await page.getByRole("dialog", { name: "Make newcomer the owner?" }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await until(async () => (await page.getByRole("dialog").count()) === 0);
  await row.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Make owner" }).click();
  await press(page, "Make owner");
  await until(() => new URL(page.url()).pathname === `/estimations/${id}`);
  await page.getByRole("link", { name: "Tree" }).waitFor();
  const { data } = await app.request("GET", `/api/estimations/${id}`, { token: owner.token });
  expect(data.estimation?.access).toBe("editor");

  // The former owner leaves.
  await page.getByRole("link", { name: "Shared", exact: true }).click();
  await press(page, "Leave Shop");
  await page.getByRole("dialog", { name: "Leave “Shop”?" }).waitFor();
  await press(page, "Leave");
  await page.getByText("You left “Shop”.").waitFor();
  await page.getByRole("heading", { name: "Nothing shared with you yet" }).waitFor();
  expect((await app.request("GET", `/api/estimations/${id}`, { token: owner.token })).status).toBe(404);
});

test("invitations are accepted and declined in the list, and a link that is not the reader's says so", async () => {
  const [owner, guest] = [await app.signUp(), await app.signUp()];
  for (const { userId } of [owner, guest]) await verify(userId);
  const invite = async (title: string, email: string) => {
    const made = await app.request("POST", "/api/estimations", { token: owner.token, body: { title } });
    const path = `/api/estimations/${made.data.estimation?.id}/shares`;
    const { data } = await app.request("POST", path, { token: owner.token, body: { email, permission: "view" } });
    return String(data.share?.id);
  };
  const foreign = await invite("Foreign", "somebody@example.com");
  const page = await openSignedIn(await openBrowser(app), guest, `/shared?accept=${foreign}`);
  await press(page, "Accept and open");
  await page.getByText(`You’re signed in as ${guest.email}.`).waitFor();
  const [later, expired] = [await invite("Later", guest.email), await invite("Expired", guest.email)];
  const opened = await invite("Opened", guest.email);
  // Opening the link accepts nothing: programs that check mails open all of them.
  await page.goto(`/shared?accept=${opened}`, { waitUntil: "networkidle" });
  await page.getByText("You’re invited to “Opened”.").waitFor();
  const accepted = "select from shares where id = $1 and accepted_at is not null";
  expect((await app.pool.query(accepted, [opened])).rowCount).toBe(0);
  await press(page, "Accept and open");
  await page.getByRole("heading", { name: "Opened" }).waitFor();
  expect((await app.pool.query(accepted, [opened])).rowCount).toBe(1);
  await invite("No thanks", guest.email);
  await page.goto("/shared");
  await page.getByRole("region", { name: "Invitations" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Decline the invitation to No thanks" }).click();
  await page.getByText("Invitation to “No thanks” declined.").waitFor();
  await page.getByRole("button", { name: "Accept the invitation to Later" }).click();
  await page.getByRole("region", { name: "Shared with you" }).getByRole("link", { name: "Later" }).waitFor();
  await app.pool.query("update shares set sent_at = now() - interval '31 days' where id = $1", [expired]);
  await page.goto(`/shared?accept=${expired}`);
  await press(page, "Accept and open");
  await page.getByText("This invitation has expired.").waitFor();
  // What was accepted already just opens.
  await page.goto(`/shared?accept=${later}`);
  await page.getByText("You can view this estimation, but not edit it.").waitFor();
  await page.goto("/estimations?access=viewer");
  await page.getByRole("link", { name: "Later" }).waitFor();
});

test("an invitation that could not be delivered says so, and its address is corrected", async () => {
  const owner = await app.signUp();
  await verify(owner.userId);
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  const [wrong, right] = ["robn@example.com", "robin@example.com"];
  mail.refuse(550, wrong, Number.POSITIVE_INFINITY);
  const body = { email: wrong, permission: "edit" };
  await app.request("POST", `/api/estimations/${id}/shares`, { token: owner.token, body });
  await until(async () => {
    await makeJobsDue(app.pool);
    const { rows } = await app.pool.query("select from shares where undelivered_at is not null and email = $1", [
      wrong,
    ]);
    return rows.length > 0;
  });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/shares`);
  await page.getByRole("row", { name: wrong }).getByText("The mail could not be delivered, now").waitFor();
  await expectAccessible(page);
  await press(page, `Actions for ${wrong}`);
  await page.getByRole("menuitem", { name: "Correct the address…" }).click();
  const address = page.getByLabel("Share with");
  await expect.poll(() => address.inputValue()).toBe(wrong);
  expect(await page.getByLabel("Permission", { exact: true }).inputValue()).toBe("edit");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(right);
  await page.keyboard.press("Enter");
  await page.getByText(`Invitation sent to ${right}.`).waitFor();
  await page
    .getByRole("row", { name: right })
    .getByText(/^Invited/)
    .waitFor();
  expect(await page.getByRole("row", { name: wrong }).count()).toBe(0);
});

test("an address that mails cannot reach is named on the account's pages, and to who asks it for a review", async () => {
  const address = "unreachable@example.com";
  mail.refuse(550, address, Number.POSITIVE_INFINITY);
  const [reviewer, owner] = [await app.signUp(address), await app.signUp()];
  await until(async () => {
    await makeJobsDue(app.pool);
    const { rows } = await app.pool.query("select from users where undelivered_at is not null and email = $1", [
      address,
    ]);
    return rows.length > 0;
  });
  const own = await openSignedIn(await openBrowser(app), reviewer, "/profile");
  await own.getByText(`Our mail to ${address} could not be delivered. If it’s wrong, register again.`).waitFor();
  await own.getByText("Mails to this address could not be delivered.").waitFor();
  await expectAccessible(own);
  await verify(owner.userId);
  await verify(reviewer.userId);
  const request = async (path: string, body: object = {}) =>
    (await app.request("POST", `/api/estimations${path}`, { token: owner.token, body })).data;
  const id = String((await request("", { title: "Shop" })).estimation?.id);
  await request(`/${id}/submit`);
  const review = String((await request(`/${id}/reviews`, { reviewerId: reviewer.userId })).review?.id);
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/reviews/${review}`);
  await page
    .getByText(/^Mails to .* could not be delivered\. Tell .* in another way, or ask somebody else\./)
    .waitFor();
  await expectAccessible(page);
});

test("a part of a name is looked up when it is sent: one match is taken, several are asked about", async () => {
  const [owner, grace, greta] = [await app.signUp(), await app.signUp(), await app.signUp()];
  for (const [user, name] of [
    [owner, "Olivia Owner"],
    [grace, "Grabriel Onething"],
    [greta, "Grabiela Otherthing"],
  ] as const) {
    await verify(user.userId);
    await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name } });
  }
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/shares`);
  const address = page.getByLabel("Share with");
  // At once, before anything is proposed.
  await address.fill("otherthing");
  await press(page, "Send invitation");
  await page.getByText(`Invitation sent to ${greta.email}.`).waitFor();
  await address.fill("Grab");
  await press(page, "Send invitation");
  await page.getByText("Who is “Grab”?").waitFor();
  await expectAccessible(page);
  await press(page, `Grabriel Onething (${grace.email})`);
  await page.getByText(`Invitation sent to ${grace.email}.`).waitFor();
});

test("what an invitation again would change is said, and asked before it is sent", async () => {
  const [owner, ada] = [await app.signUp(), await app.signUp()];
  for (const { userId } of [owner, ada]) await verify(userId);
  await app.request("PATCH", "/api/auth/me", { token: ada.token, body: { name: "Ada" } });
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  const path = `/api/estimations/${id}/shares`;
  const body = { email: ada.email, permission: "edit" };
  const { share } = (await app.request("POST", path, { token: owner.token, body })).data;
  await app.request("POST", `/api/shares/${share?.id}/accept`, { token: ada.token });
  const permission = async () => (await app.request("GET", path, { token: owner.token })).data.shares?.[0]?.permission;
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/shares`);
  const address = page.getByLabel("Share with");
  await address.fill(ada.email.toUpperCase());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change Ada’s permission?" });
  await dialog.getByText("Ada can edit now; this makes it “Can view”.").waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await until(async () => (await dialog.count()) === 0);
  expect(await permission()).toBe("edit");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await dialog.getByRole("button", { name: "Change permission" }).click();
  await page.getByText(`${ada.email} was already invited and now has this permission.`).waitFor();
  expect(await permission()).toBe("view");
  // What changes nothing is not asked.
  await address.fill(ada.email);
  await page.keyboard.press("Enter");
  await until(async () => (await address.inputValue()) === "");
  expect(await dialog.count()).toBe(0);
});

test("without a mail server it is said that no mail is sent, and the link is there to copy", async () => {
  const local = await start({ pages: true });
  const [owner, ada] = [await local.signUp(), await local.signUp()];
  const { data } = await local.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const context = await openBrowser(local);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await openSignedIn(context, owner, `/estimations/${data.estimation?.id}/shares`);
  const invite = async (email: string) => {
    await page.getByLabel("Share with").fill(email);
    await press(page, "Invite");
    await page.getByText(`${email} is invited, but no mail is sent here: pass the link on yourself.`).waitFor();
    await press(page, "Copy link");
    await page.getByText("Copied", { exact: true }).waitFor();
    return await page.evaluate<string>("navigator.clipboard.readText()");
  };
  await invite("nobody@nowhere");
  expect(await page.getByText("Invitation sent").count()).toBe(0);
  const link = await invite(ada.email);
  // The link does what that of a mail does.
  const theirs = await openSignedIn(await openBrowser(local), ada, link);
  await press(theirs, "Accept and open");
  await theirs.getByRole("heading", { name: "Shop" }).waitFor();
  // So does sending it again, and inviting to a team.
  await press(page, "Actions for nobody@nowhere");
  await page.getByRole("menuitem", { name: "Resend invitation" }).click();
  await page.getByText("nobody@nowhere is invited, but no mail is sent here").waitFor();
  const team = await local.request("POST", "/api/teams", { token: owner.token, body: { name: "Web" } });
  await page.goto(`/teams/${team.data.team?.id}`);
  await page.getByLabel("Invite someone").fill(ada.email);
  await press(page, "Invite");
  await page.getByText(`${ada.email} is invited, but no mail is sent here`).waitFor();
});
