import type { live } from "../../../contract/endpoints/live.ts";
import { limits } from "../../../contract/limits.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { setPlaces } from "../estimations/index.ts";
import type { Hub } from "./hub.ts";

/** Streams of what others do. */
export const liveRoutes = (hub: Hub): Handlers<typeof live> => ({
  async watchLive({ actor, query, signal }) {
    const { seconds = limits.eventStreamSeconds } = query;
    return { stream: await hub.open({ userId: actor.userId, isPerson: actor.session !== null, signal, seconds }) };
  },

  async setLivePlaces({ actor, body, params, db }) {
    const place = { streamId: params.streamId, userId: actor.userId, isPerson: actor.session !== null };
    const places = (await setPlaces(db, place, body.places)) ?? fail("not_found");
    return { data: { live: { places } } };
  },
});
