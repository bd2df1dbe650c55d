import { sql } from "drizzle-orm";
import Type from "typebox";
import { endpoints } from "../../contract/endpoint.ts";
import { Shape } from "../../contract/shapes.ts";
import type { ReadableEstimation } from "../../server/features/estimations/index.ts";
import { fail } from "../../server/http/failure.ts";
import type { Handlers } from "../../server/http/handler.ts";

const note = Shape({ note: Type.String(), said: Type.String() });

/** Rows that wait for a network, for tests: they ask a server about a note, then store what it said. */
export const outsideEndpoints = endpoints({
  makeNote: {
    method: "POST",
    path: "/api/notes",
    summary: "Make a note",
    access: "estimations:write",
    body: Shape({ note: Type.String() }),
    response: { status: 202, data: Shape({ made: note }) },
    outside: true,
  },
  annotate: {
    method: "POST",
    path: "/api/estimations/:id/notes",
    summary: "Make a note about an estimation",
    access: "estimations:write",
    right: "edit",
    body: Shape({ note: Type.String() }),
    response: { status: 200, data: Shape({ made: note }) },
    etag: true,
    ifMatch: true,
    outside: true,
  },
});

export const NOTES = "create table notes (note text, said text)";

/** The handlers; `network` is the address of the server that they ask. It refuses a note by saying `no`. */
export function outsideHandlers(network: string): Handlers<typeof outsideEndpoints, ReadableEstimation> {
  const ask = async (about: string) => {
    const said = await (await fetch(`${network}/${about}`)).text();
    if (said === "no") fail("not_found");
    return { note: about, said };
  };
  return {
    async makeNote({ body }) {
      const made = await ask(body.note);
      return async ({ db }) => {
        await db.execute(sql`insert into notes values (${made.note}, ${made.said})`);
        return { data: { made } };
      };
    },
    async annotate({ body }) {
      const made = await ask(body.note);
      return async ({ db, estimation }) => {
        await db.execute(sql`insert into notes values (${made.note}, ${made.said})`);
        return { data: { made }, revision: estimation.revision };
      };
    },
  };
}
