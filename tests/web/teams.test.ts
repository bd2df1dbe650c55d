import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { startMailServer } from "../support/mail-server.ts";
import { hold, keys, press } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

const mail = await startMailServer();
// With a mail server, only those who have opened a mailed link count as verified.
const app = await start({
  pages: true,
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", mailFrom: "Estimations <no-reply@example.org>" },
});

const verify = (userId: string) => app.pool.query("update users set email_verified_at = now() where id = $1", [userId]);

async function signUp(name: string): Promise<TestUser> {
  const user = await app.signUp(`${name.toLowerCase()}@example.com`);
  await verify(user.userId);
  await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name } });
  return user;
}

const as = ({ token }: TestUser, method: string, path: string, body?: object) =>
  app.request(method, `/api/${path}`, { token, ...(body === undefined ? {} : { body }) });

/** Returns where the mailed link to an address leads, without its origin. */
async function mailedPath(address: string): Promise<string> {
  const { body } = await until(async () => {
    await makeJobsDue(app.pool);
    return mail.mails.find(({ to, body }) => to.includes(address) && body.includes("/teams/"));
  });
  return /https:\/\/app\.example\.org(\/teams\/\S+)/.exec(body)?.[1] ?? "";
}

test("by keyboard alone a team is made and somebody invited, who accepts from the mail and sees what is shared with it", async () => {
  const [ada, bob] = [await signUp("Ada"), await signUp("Bob")];
  const made = await as(ada, "POST", "estimations", { title: "Checkout" });
  const estimation = String(made.data.estimation?.id);
  const page = await openSignedIn(await openBrowser(app), ada, "/teams");
  await page.getByRole("heading", { name: "No teams yet" }).waitFor();
  await page.getByRole("button", { name: "New team" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New team" }).waitFor();
  await page.keyboard.type("Web team");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Web team", level: 1 }).waitFor();
  await page.getByLabel("Invite someone").focus();
  await page.keyboard.type(bob.email);
  await keys(page, "Tab", "ArrowUp", "Tab", "Enter");
  await page.getByText(`Invitation sent to ${bob.email}.`).waitFor();
  const pending = page.getByRole("row", { name: bob.email });
  expect(await pending.innerText()).toMatch(/Admin\s+Invited now, valid until \d/);

  // Nothing is accepted by opening the link.
  const theirs = await openSignedIn(await openBrowser(app), bob, await mailedPath(bob.email));
  await theirs.getByRole("heading", { name: "Join Web team?" }).waitFor();
  expect((await as(bob, "GET", "teams")).data.teams).toEqual([]);
  await theirs.getByRole("button", { name: "Accept" }).focus();
  await theirs.keyboard.press("Enter");
  await theirs.getByRole("heading", { name: "Web team", level: 1 }).waitFor();
  await theirs.getByText("Nothing is shared with this team yet.").waitFor();

  // The estimation is shared with the team, and is in the list that the switch shows.
  await page.goto(`/estimations/${estimation}/shares`);
  await page.getByLabel("Share with a team").focus();
  await keys(page, "Tab", "Tab", "Enter");
  const row = page.getByRole("row", { name: "Web team (Team)" });
  await row.getByText("Shared now").waitFor();
  expect(await page.getByLabel("Share with a team").count()).toBe(0);
  await theirs.goto("/estimations");
  await theirs.getByRole("link", { name: "Checkout" }).waitFor();
  const show = theirs.getByRole("combobox", { name: "Show" });
  await show.selectOption("Mine");
  await theirs.getByRole("heading", { name: "No matches" }).waitFor();
  expect(new URL(theirs.url()).searchParams.get("access")).toContain("owner");
  await show.selectOption("Web team");
  await theirs.getByRole("link", { name: "Checkout" }).waitFor();
  expect(new URL(theirs.url()).searchParams.get("team")).toMatch(/^team_/);
  await theirs.reload();
  await theirs.getByRole("link", { name: "Checkout" }).waitFor();
  await expect.poll(() => show.locator("option:checked").innerText()).toBe("Web team");

  // How the member has access is said where the owner would manage it.
  await theirs.goto(`/estimations/${estimation}/shares`);
  await theirs.getByText("You have access via the team Web team, as long as you are in it.").waitFor();

  // As an admin of the team, the member ends it.
  await theirs.getByRole("link", { name: "Teams" }).click();
  await theirs.getByRole("link", { name: "Web team" }).click();
  await press(theirs, "Stop sharing Checkout with the team");
  await theirs.getByRole("dialog", { name: "Stop sharing “Checkout”?" }).waitFor();
  await press(theirs, "Stop sharing");
  await theirs.getByText("Nothing is shared with this team yet.").waitFor();
  expect((await as(bob, "GET", `estimations/${estimation}`)).status).toBe(404);
});

test("admins change roles, withdraw invitations and remove; the last admin is told, and deletes; others leave", async () => {
  const [eve, dan] = [await signUp("Eve"), await signUp("Dan")];
  const teamId = String((await as(eve, "POST", "teams", { name: "Shop" })).data.team?.id);
  await as(eve, "POST", `teams/${teamId}/invitations`, { email: dan.email, role: "member" });
  await as(dan, "POST", `teams/${teamId}/accept`);
  await as(eve, "POST", `teams/${teamId}/invitations`, { email: "wrong@example.com", role: "member" });
  const page = await openSignedIn(await openBrowser(app), eve, `/teams/${teamId}`);
  await press(page, "Actions for wrong@example.com");
  await page.getByRole("menuitem", { name: "Withdraw invitation" }).click();
  await page.getByText("Invitation to wrong@example.com withdrawn.").waitFor();
  const role = page.getByRole("combobox", { name: "Role of Eve" });
  await role.selectOption("Member");
  await page.getByRole("dialog", { name: "Give up your admin role?" }).waitFor();
  await press(page, "Become a member");
  await page.getByRole("alert").getByText("A team needs an admin.").waitFor();
  await press(page, "Cancel");
  await until(async () => (await role.inputValue()) === "admin");
  // Nobody becomes an admin by one key.
  const dans = page.getByRole("combobox", { name: "Role of Dan" });
  await dans.selectOption("Admin");
  await press(page, "Cancel");
  expect(await dans.inputValue()).toBe("member");
  await dans.selectOption("Admin");
  await page.getByRole("dialog", { name: "Make Dan an admin?" }).waitFor();
  await press(page, "Make admin");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await until(async () => (await dans.inputValue()) === "admin");
  await dans.selectOption("Member");
  await until(async () => String((await as(dan, "GET", `teams/${teamId}`)).data.team?.role) === "member");
  await press(page, "Actions for Shop");
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Shop and checkout");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Shop and checkout", level: 1 }).waitFor();

  // A member sees no forms, and leaves.
  const theirs = await openSignedIn(await openBrowser(app), dan, "/teams");
  await theirs.getByRole("link", { name: "Shop and checkout" }).click();
  await theirs.getByText("eve@example.com").waitFor();
  expect(await theirs.getByLabel("Invite someone").count()).toBe(0);
  expect(await theirs.getByRole("combobox").count()).toBe(0);
  await press(theirs, "Actions for Shop and checkout");
  await theirs.getByRole("menuitem", { name: "Leave team" }).click();
  await press(theirs, "Leave team");
  await theirs.getByRole("heading", { name: "No teams yet" }).waitFor();

  await press(page, "Actions for Shop and checkout");
  await page.getByRole("menuitem", { name: "Delete team" }).click();
  await page.getByRole("dialog", { name: "Delete Shop and checkout?" }).waitFor();
  await press(page, "Delete team");
  await page.getByRole("heading", { name: "No teams yet" }).waitFor();
});

test("the default team of the profile is applied to what is made next; a declined invitation is gone", async () => {
  const [kim, lea] = [await signUp("Kim"), await signUp("Lea")];
  const teamId = String((await as(kim, "POST", "teams", { name: "Data" })).data.team?.id);
  await as(kim, "POST", `teams/${teamId}/invitations`, { email: lea.email, role: "member" });
  const page = await openSignedIn(await openBrowser(app), kim, "/profile/security");
  // A choice that is made while another one is being stored is stored afterwards.
  const { requests, release } = await hold(page, /\/auth\/me$/, "PATCH");
  await page.getByRole("combobox", { name: "Share with" }).selectOption("Data");
  await until(() => requests.count === 1);
  await page.getByRole("combobox", { name: "Permission" }).selectOption("Can edit");
  release();
  await until(async () => {
    const { data } = await as(kim, "GET", "auth/me");
    return String(data.user?.defaultPermission) === "edit";
  });
  const { data } = await as(kim, "POST", "estimations", { title: "New" });
  const shares = await as(kim, "GET", `estimations/${data.estimation?.id}/shares`);
  expect(shares.data.shares?.[0]).toMatchObject({ team: { name: "Data" }, permission: "edit" });

  const theirs = await openSignedIn(await openBrowser(app), lea, "/teams");
  await press(theirs, "Decline the invitation to Data");
  await theirs.getByRole("heading", { name: "No teams yet" }).waitFor();
  await theirs.goto(`/teams/${teamId}/invitation`);
  await theirs.getByRole("heading", { name: "There’s no invitation here" }).waitFor();
});
