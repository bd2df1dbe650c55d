import type pg from "pg";
import { pino } from "pino";
import { createClient } from "../../contract/client/client.ts";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";
import { systemClock } from "../../server/platform/clock.ts";
import type { benchDatabase } from "../database.ts";

/** An estimation with something in each of its lists, and who uses it. */
export interface Sample {
  readonly owner: Account;
  /** Whom it is shared with, and who reviews it. */
  readonly guest: Account;
  readonly estimationId: string;
  readonly webhookId: string;
  readonly threadId: string;
  readonly reviewId: string;
  readonly exportId: string;
  /** A team of the owner that it is shared with, and another one of what others shared. */
  readonly teamId: string;
  readonly otherTeamId: string;
}

export interface Account {
  readonly id: string;
  readonly token: string;
}

/**
 * Makes the sample through the API of a service whose clock stands still: the ids of what was made at one time begin alike, and so
 * can be replaced in copies.
 */
export async function makeSample(
  { connection, dataDir }: Awaited<ReturnType<typeof benchDatabase>>,
  pool: pg.Pool,
): Promise<Sample> {
  let now = new Date(systemClock.now().getTime() - 60_000);
  const service = await startService({
    config: loadConfig({ DATA_DIR: dataDir, PORT: "0" }),
    connection,
    log: pino({ level: "warn" }),
    only: "api",
    clock: { ...systemClock, now: () => now },
  });
  try {
    const register = async (name: string) => {
      let token: string | null = null;
      const client = createClient(service.url, () => token);
      const { data } = await client.registerUser({
        body: { email: `${name}@example.com`, password: "correct horse battery" },
      });
      token = data.token;
      return { client, id: data.user.id, token: data.token };
    };
    const { client, ...owner } = await register("owner");
    const { client: _, ...guest } = await register("guest");
    await pool.query("update users set email_verified_at = now(), is_administrator = true");
    const teamId = (await client.createTeam({ body: { name: "Team" } })).data.team.id;
    const otherTeamId = (await client.createTeam({ body: { name: "Other" } })).data.team.id;
    const hook = { url: "https://hooks.example.com/", events: ["estimation.tasks_generated" as const] };
    const webhookId = (await client.createWebhook({ body: hook })).data.webhook.id;
    const tracker = { target: "github" as const, name: "GitHub", token: "none" };
    const connectionId = (await client.createConnection({ body: tracker })).data.connection.id;
    await client.createApiKey({ body: { name: "bench", scopes: ["estimations:read"] } });

    now = new Date(now.getTime() + 1_000);
    const { id } = (await client.createEstimation({ body: { title: "Sample" } })).data.estimation;
    const params = { id };
    const hours = { optimistic: 8, likely: 14, pessimistic: 30 };
    const options = ["Card", "Invoice"].map((title) => ({ title, hours, description: "What has to be done" }));
    await client.replaceTree({ params, body: { nodes: [{ title: "Payment", kind: "group", options }] } });
    await client.generateTasks({ params });
    const versionId = (await client.createVersion({ params, body: { label: "First" } })).data.version.id;
    const threadId = (await client.createThread({ params, body: { title: "B", baseVersionId: versionId } })).data.thread
      .id;
    await client.createThreadMessage({ params: { id, threadId }, body: { body: "Why so?" } });
    await client.createMilestone({ params, body: { title: "Beta", dueDate: "2027-06-30" } });
    await client.createShare({ params, body: { email: "guest@example.com", permission: "view" } });
    await client.createShare({ params, body: { teamId, permission: "view" } });
    const review = (await client.requestReview({ params, body: { reviewerEmail: "guest@example.com" } })).data.review;
    await client.createComment({ params: { id, reviewId: review.id }, body: { body: "All of it?" } });
    const wanted = { target: "github" as const, connectionId, repository: "acme/shop" };
    const exportId = (await client.exportTasks({ params, body: wanted })).data.export.id;
    await pool.query(
      "insert into export_items (export_id, number, task_id, level) select $1, row_number() over (order by id), id, 0 from tasks",
      [exportId],
    );
    // Their keys are numbers, which copies would have too; only limits read them.
    await pool.query("delete from review_mails");
    await client.createTemplate({ body: { estimationId: id, name: "Shop", visibility: "instance" } });
    return { owner, guest, estimationId: id, webhookId, threadId, reviewId: review.id, exportId, teamId, otherTeamId };
  } finally {
    await service.stop();
  }
}
