import Type from "typebox";
import { describe, expect, test } from "vitest";
import type { EndpointId } from "../../contract/index.ts";
import { Change, Shape, Title } from "../../contract/shapes.ts";
import { emit } from "../../server/features/webhooks/index.ts";
import { Failure, fail, failWith } from "../../server/http/failure.ts";
import { type EndpointEntry, entryOf } from "./call.ts";
import { createFaults, type Fault } from "./loops/faults.ts";
import { loops } from "./loops/index.ts";
import { setStage } from "./loops/stage.ts";

const faults = createFaults();
const stage = await setStage({ plant: faults.plant });
const { app, world } = stage;

/** A fault, the endpoint that has it, and the message with which the loop must fail. */
type Planted = readonly [what: string, at: EndpointId, fault: Fault, complaint: RegExp];

/** Writes outside the transaction of the call, so that the change stays if the call is refused. */
const leaveTrace = () => app.pool.query("update exchange_codes set expires_at = expires_at + interval '1 ms'");

/** Returns a statement that adds a row like the one with that id. */
const copyOf = (table: string, id: string): string =>
  `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', translate(t.id, '0123456789', '1234567890')))).*
   from ${table} t where id = '${id}'`;

const writesFirst: Fault["handler"] = async (call, sound) => {
  await leaveTrace();
  return sound(call);
};

const A_FAULT = { path: "", in: "body", code: "not_allowed", message: "is not allowed" } as const;

const writesAndRefuses: Fault["handler"] = async () => {
  await leaveTrace();
  return failWith([{ path: "/surprise", in: "query", code: "unknown_field", message: "is not a known parameter" }]);
};

const takesAnybodyForTheOwner: Fault["estimations"] = (sound) => ({
  find: (db, id, _, right) => sound.find(db, id, world.user.userId, right),
  findWithTree: (db, id, _, right) => sound.findWithTree(db, id, world.user.userId, right),
  lock: (db, id, _, right) => sound.lock(db, id, world.user.userId, right),
});

/** Finds the inner record below any parent, not only below that of the path. */
const ignoresTheParent =
  (query: string, name: string): Fault["handler"] =>
  async (call, sound) => {
    const { rows } = await app.pool.query<{ id: string }>(query, [call.params[name]]);
    const id = rows[0]?.id ?? "";
    const { estimation } = call;
    return sound({ ...call, params: { ...call.params, id }, ...(estimation && { estimation: { ...estimation, id } }) });
  };

/** Treats any session token as the owner's. */
const takesAnyToken: Fault["verifiers"] = () => ({
  session: async (credential) => ({
    credential,
    userId: null,
    prove: async () => ({
      userId: world.user.userId,
      credential: "session",
      apiKeyId: null,
      scopes: [],
      tokenVersion: 0,
      session: { id: world.session, signedInAt: app.clock.now(), isAdministrator: true },
    }),
  }),
});

/** Treats every key as one with the scope `admin`. */
const takesKeysForAdmins: Fault["verifiers"] = (sound) => ({
  key: (plaintext) => {
    const given = sound.key(plaintext);
    return { ...given, prove: async () => ({ ...(await given.prove()), scopes: ["admin"] }) };
  },
});

const ignoresTheCursor: Fault["handler"] = (call, sound) =>
  sound({ ...call, query: { ...(call.query as object), cursor: undefined } });

/** Drops a read-only field without comparing it with the record. */
const dropsTheId: Fault["body"] = (body, sound) => {
  sound(body);
  Reflect.deleteProperty(body as object, "id");
};

const A_WRITE = /the database was changed: - public.exchange_codes/;

/** At least one fault for every loop: a loop without one does not compile. */
const planted: { readonly [K in keyof typeof loops]: readonly [Planted, ...Planted[]] } = {
  samplesSucceed: [
    [
      "returns a value that it does not declare",
      "getEstimation",
      {
        async handler(call, sound) {
          const { data, ...rest } = await sound(call);
          return { ...rest, data: { estimation: { ...(data.estimation as object), createdAt: "soon" } } };
        },
      },
      /createdAt must match format/,
    ],
    [
      "refuses with an error that it does not declare",
      "listTasks",
      { handler: async () => fail("email_taken") },
      /tasks 409: the description refuses the response/,
    ],
    [
      "stores something in the browser",
      "logIn",
      { early: (_, response) => void response.header("set-cookie", "session=1") },
      /'session=1' to be null/,
    ],
    [
      "sends a file of another type",
      "exportEstimation",
      {
        handler: async (call, sound) =>
          Object.assign(await sound(call), { file: { name: "x.html", type: "text/html", text: "<h1>x</h1>" } }),
      },
      /the content type "text\/html" is not described/,
    ],
    [
      "responds with 201 for a record that it found",
      "createShare",
      { handler: async (call, sound) => Object.assign(await sound(call), { status: 201 }) },
      /expected \[ 201, undefined \] to deeply equal \[ 200, undefined \]/,
    ],
    [
      "leaves out its ETag",
      "getTree",
      { handler: async (call, sound) => ({ data: (await sound(call)).data }) },
      /expected false to be true/,
    ],
  ],
  eventsAsDeclared: [
    [
      "emits an event that it does not declare",
      "updateEstimation",
      {
        async handler(call, sound) {
          const event = "estimation.tasks_generated";
          const data = { estimationId: world.estimation, taskCount: 0 };
          await emit(call.db, app.services, {
            event,
            data,
            userIds: [world.user.userId],
            senderId: world.user.userId,
            now: call.now,
          });
          return sound(call);
        },
      },
      /'estimation.tasks_generated' \] to deeply equal \[\]/,
    ],
    [
      "does not emit what it declares",
      "generateTasks",
      {
        async handler(call, sound) {
          const response = await sound(call);
          await call.db.execute("delete from webhook_events");
          return response;
        },
      },
      /expected \[\] to deeply equal \[ 'estimation.tasks_generated' \]/,
    ],
    [
      "sends no delivery of its event",
      "generateTasks",
      {
        async handler(call, sound) {
          const response = await sound(call);
          await call.db.execute("delete from webhook_deliveries");
          return response;
        },
      },
      /expected \[\] to deeply equal \[ 'estimation.tasks_generated' \]/,
    ],
    [
      "names the owner as the cause of what the reviewer does",
      "approveReview",
      {
        async handler(call, sound) {
          const response = await sound(call);
          await call.db.execute("update webhook_deliveries set caused_by_owner = true");
          return response;
        },
      },
      /expected 'usr_.* to be ''/,
    ],
  ],
  quotasAreReserved: [
    [
      "makes something without reserving",
      "createConnection",
      {
        async handler({ db }) {
          const path = `/api/connections/${world.connection}`;
          await db.execute(copyOf("connections", world.connection));
          return {
            data: { connection: (await app.request("GET", path, { token: world.user.token })).data.connection },
          };
        },
      },
      /expected \[ 'connections' \] to deeply equal \[\]/,
    ],
    [
      "makes something in passing",
      "updateWebhook",
      {
        async handler(call, sound) {
          await call.db.execute(copyOf("webhooks", world.webhook));
          return sound(call);
        },
      },
      /expected \[ 'webhooks' \] to deeply equal \[\]/,
    ],
    [
      "reserves for a milestone only when there are many",
      "createMilestone",
      {
        async handler({ estimation }) {
          const path = `/api/estimations/${world.estimation}/milestones`;
          const { data } = await app.request("GET", path, { token: world.user.token });
          return { data: { milestone: data.milestones?.[0] }, revision: estimation?.revision ?? 0 };
        },
      },
      /expected \[ false, true \]/,
    ],
    [
      "does not declare that it may refuse",
      "createApiKey",
      { endpoint: (sound) => ({ ...sound, errors: [] }) },
      /expected \[ true, false \]/,
    ],
  ],
  activityAsDeclared: [
    [
      "forgets to record what it did",
      "updateEstimation",
      {
        async handler(call, sound) {
          const response = await sound(call);
          await call.db.execute("delete from activity_entries where started_at > 'epoch'");
          return response;
        },
      },
      /expected \[\] to deeply equal \[ true \]/,
    ],
    [
      "records something else",
      "updateTask",
      {
        async handler(call, sound) {
          const response = await sound(call);
          await call.db.execute("update activity_entries set kind = 'state.reopened' where started_at > 'epoch'");
          return response;
        },
      },
      /expected \[ 'state.reopened' \] to deeply equal \[ true \]/,
    ],
  ],
  accessFollowsTheRule: [
    [
      "treats every reader as an editor",
      "selectOption",
      {
        estimations: (sound) => ({
          async lock(db, id, userId) {
            const found = await sound.lock(db, id, userId, "read");
            return found && { ...found, access: "editor" };
          },
        }),
      },
      /expected \[ 200,/,
    ],
    ["shows the record to everybody", "getTree", { estimations: takesAnybodyForTheOwner }, /expected \[ 200,/],
    [
      "refuses an editor",
      "updateTask",
      { estimations: (sound) => ({ lock: async (...who) => (await sound.lock(...who)) && fail("forbidden") }) },
      /expected \[ 403,/,
    ],
    [
      "writes before it refuses",
      "deleteEstimation",
      {
        estimations: (sound) => ({
          async lock(...who) {
            await leaveTrace();
            return sound.lock(...who);
          },
        }),
      },
      A_WRITE,
    ],
  ],
  uselessCredentialsAreRefused: [
    ["takes any token", "listTasks", { verifiers: takesAnyToken }, /a token that is none: expected \[ 200,/],
    [
      "accepts a revoked token",
      "getCurrentUser",
      {
        verifiers: (sound) => ({
          async session(token) {
            const given = await sound.session(token);
            const { prove } = (await takesAnyToken(sound).session?.(token)) ?? given;
            return { ...given, prove };
          },
        }),
      },
      /a revoked token: expected \[ 200,/,
    ],
    ["writes before it refuses", "createWebhook", { early: async () => void (await leaveTrace()) }, A_WRITE],
  ],
  keysInAddressesAreRefused: [
    [
      "does not notice a key in the address",
      "listWebhooks",
      {
        query: () => {},
        early(request) {
          request.query = {};
        },
      },
      /expected \[ 200,/,
    ],
    [
      "repeats the key",
      "startGoogleSignIn",
      { early: (request, response) => void response.header("x-sent", request.url) },
      /not to contain 'svc_live_/,
    ],
    [
      "accepts the key as a credential",
      "getEstimation",
      { early: () => failWith([{ path: "/key", in: "query", code: "not_allowed", message: "holds an API key" }]) },
      /expected 400 to be 401/,
    ],
  ],
  otherScopesAreRefused: [
    ["takes every key for one of admin", "generateTasks", { verifiers: takesKeysForAdmins }, /expected \[ 200,/],
    ["writes before it refuses", "deleteTask", { early: async () => void (await leaveTrace()) }, A_WRITE],
  ],
  scopesAreJudgedFirst: [
    [
      "reads the body of a caller without the scope",
      "createEstimation",
      { verifiers: takesKeysForAdmins },
      /expected \[ 400, 'invalid_json'/,
    ],
    ["looks for the record first", "getTree", { verifiers: takesKeysForAdmins }, /expected \[ (200|404),/],
  ],
  impossibleIdsAreAbsent: [
    ["says what is wrong with the id", "getWebhook", { handler: async () => failWith([A_FAULT]) }, /expected \[ 400,/],
    ["writes before it refuses", "rotateApiKey", { handler: writesFirst }, A_WRITE],
  ],
  strangersFindNothing: [
    ["shows the record to everybody", "getEstimation", { estimations: takesAnybodyForTheOwner }, /expected \[ 200,/],
    ["lets everybody change the record", "updateTask", { estimations: takesAnybodyForTheOwner }, /expected \[ 200,/],
    ["writes before it refuses", "deleteWebhook", { handler: writesFirst }, A_WRITE],
    [
      "reveals by a header that the record exists",
      "getEstimation",
      {
        estimations: () => ({
          async find(_, id) {
            throw new Failure("not_found", id === world.estimation ? { headers: { etag: '"1"' } } : {});
          },
        }),
      },
      /differs from that for no record/,
    ],
    [
      "reveals by the details that the record exists",
      "getWebhook",
      {
        async handler({ params }) {
          throw new Failure("not_found", params.id === world.webhook ? { details: { reason: "unknown_path" } } : {});
        },
      },
      /differs from that for no record/,
    ],
  ],
  recordsBelongToTheirParent: [
    [
      "finds a task only by its own id",
      "updateTask",
      { handler: ignoresTheParent("select estimation_id as id from tasks where id = $1", "taskId") },
      /expected \[ 200,/,
    ],
    [
      "finds a delivery only by its own id",
      "getDelivery",
      { handler: ignoresTheParent("select webhook_id as id from webhook_deliveries where id = $1", "deliveryId") },
      /expected \[ 200,/,
    ],
    ["writes before it refuses", "deleteTask", { handler: writesFirst }, A_WRITE],
  ],
  staleRevisionsAreRefused: [
    [
      "ignores If-Match",
      "updateEstimation",
      {
        estimations: (sound) => ({
          async lock(...who) {
            const found = await sound.lock(...who);
            return found && { ...found, revision: 0 };
          },
        }),
      },
      /expected \[ 200,/,
    ],
    [
      "writes before it refuses",
      "generateTasks",
      {
        estimations: (sound) => ({
          async lock(...who) {
            await leaveTrace();
            return sound.lock(...who);
          },
        }),
      },
      A_WRITE,
    ],
  ],
  bodiesHoldWhatTheyMay: [
    [
      "has a list without a limit",
      "createApiKey",
      { endpoint: (sound) => ({ ...sound, body: Shape({ scopes: Type.Array(Type.String()) }) }) },
      /expected Infinity to be less than/,
    ],
    [
      "accepts fewer values than its schema allows",
      "createEstimation",
      { endpoint: (sound) => ({ ...sound, bodyValues: 5 }) },
      /to be less than or equal to 5/,
    ],
  ],
  bodiesUnderAuthAreSmall: [
    [
      "declares larger bodies",
      "logIn",
      { endpoint: (sound) => ({ ...sound, bodyLimitBytes: 20_000 }) },
      /20000 to be 16384/,
    ],
    [
      "reads on",
      "registerUser",
      { early: () => failWith([A_FAULT]) },
      /expected \[ 400, 'validation_failed' \] to deeply equal \[ 413/,
    ],
    [
      "refuses a valid body",
      "verifyEmail",
      { early: () => fail("payload_too_large", { details: { limitBytes: 16_384 } }) },
      /to not include 'payload_too_large'/,
    ],
  ],
  formsAreSaidInWords: [
    [
      "has a form without a description",
      "listTasks",
      { endpoint: (sound) => ({ ...sound, query: Shape({ ref: Type.String({ pattern: "^[A-Z]+$" }) }) }) },
      /\^\[A-Z\]/,
    ],
  ],
  wrongBodiesAreRefused: [
    ["takes fields that it does not know", "createEstimation", { body: () => {} }, /expected \[ 201,/],
    ["writes before it refuses", "createWebhook", { body: () => {}, handler: writesAndRefuses }, A_WRITE],
  ],
  recordsAreIdentified: [
    [
      "accepts no id",
      "updateThread",
      { endpoint: (sound) => ({ ...sound, body: Change({ title: Title(100), status: Type.String() }) }) },
      /to deeply equal ArrayContaining \["id", "status"\]/,
    ],
    [
      "ignores the state",
      "updateTask",
      { endpoint: (sound) => ({ ...sound, body: Change({}, { matching: ["id"], derived: ["status"] }) }) },
      /to deeply equal ArrayContaining \["id", "status"\]/,
    ],
  ],
  recordsAreTakenBack: [
    [
      "does not know a field of its record",
      "updateApiKey",
      { body: (body, sound) => ("createdAt" in (body as object) ? failWith([A_FAULT]) : sound(body)) },
      /expected \[ 400,/,
    ],
    [
      "compares a derived field",
      "updateMilestone",
      {
        body(body, sound) {
          const { forecast } = body as { forecast?: object };
          if (forecast && "anything" in forecast) failWith([A_FAULT]);
          sound(body);
        },
      },
      /expected \[ 400,/,
    ],
  ],
  otherReadOnlyFieldsAreRefused: [
    ["drops a field without comparing it", "updateTask", { body: dropsTheId }, /id as null: expected \[ 200,/],
    ["writes before it refuses", "updateWebhook", { handler: writesFirst }, A_WRITE],
  ],
  pagesGoOn: [
    ["shows its first page again", "listApiKeys", { handler: ignoresTheCursor }, /to not deeply/],
    [
      "returns no cursor",
      "listEstimations",
      {
        async handler(call, sound) {
          const response = await sound(call);
          return { ...response, data: { ...response.data, nextCursor: null } };
        },
      },
      /Any<String>/,
    ],
  ],
  noCursorsAreRefused: [
    ["takes anything for a cursor", "listTasks", { handler: ignoresTheCursor }, /expected \[ 200,/],
  ],
  changedCursorsAreRefused: [
    ["takes a changed cursor", "listDeliveries", { handler: ignoresTheCursor }, /expected \[ 200,/],
  ],
  responsesAreNotStored: [
    [
      "lets caches store its response",
      "getEstimation",
      { early: (_, response) => void response.header("cache-control", "public") },
      /'public'/,
    ],
  ],
  nulsAreRefused: [
    ["refuses something else first", "updateEstimation", { early: () => fail("not_found") }, /expected 404 to be 400/],
  ],
  madeIsAtItsLocation: [
    [
      "has no Location",
      "createApiKey",
      { endpoint: (sound) => ({ ...sound, response: { status: 201, data: Shape({}) } }) },
      /expected false to be true/,
    ],
  ],
  filtersTakeSeveralValues: [
    [
      "accepts one of its listed values",
      "listTasks",
      { endpoint: (sound) => ({ ...sound, query: Shape({ status: Type.Enum(["open", "done"]) }) }) },
      /expected \[ 'status' \]/,
    ],
  ],
  filtersAreBounded: [
    [
      "accepts any number of values",
      "listTasks",
      {
        endpoint: (sound) => ({ ...sound, query: Shape({ status: Type.Array(Type.String(), { uniqueItems: true }) }) }),
      },
      /expected \[ true, false \]/,
    ],
  ],
  statesAreJudged: [
    [
      "changes what is locked",
      "updateEstimation",
      {
        estimations: (sound) => ({
          async lock(...who) {
            const found = await sound.lock(...who);
            return found && { ...found, status: "draft" };
          },
        }),
      },
      /expected \[ 200,/,
    ],
    ["writes before it refuses", "submitEstimation", { handler: writesFirst }, A_WRITE],
  ],
  unknownQueriesAreRefused: [
    ["takes a query that it does not know", "listEstimations", { query: () => {} }, /expected \[ 200,/],
    ["writes before it refuses", "deleteWebhook", { query: () => {}, handler: writesAndRefuses }, A_WRITE],
  ],
  oddNumbersAreRefused: [
    ["takes any text for a number", "listTasks", { query: () => {} }, /expected \[ \d00, undefined, undefined \]/],
  ],
};

describe.each(Object.entries(loops))("%s fails for an endpoint that", (name, { endpoints, check }) => {
  test.each<Planted>(planted[name as keyof typeof loops])("%s: %s", async (_, id, fault, complaint) => {
    const entry = entryOf(id);
    expect(endpoints.map(([known]) => known)).toContain(id);
    await check(stage, entry);
    const judged = fault.endpoint ? ([id, fault.endpoint(entry[1])] as unknown as EndpointEntry) : entry;
    await stage.undoing(() => faults.during(id, fault, () => expect(check(stage, judged)).rejects.toThrow(complaint)));
    await check(stage, entry);
  });
});
