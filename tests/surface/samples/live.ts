import type { live } from "../../../contract/endpoints/live.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface LiveRecords {
  /** A stream that is open, as far as the database knows. */
  readonly stream: string;
}

/** Stores that a stream is open: a real one would stay so. */
export async function makeStream({ app, user }: Making, { estimation }: EstimationRecords): Promise<LiveRecords> {
  const stream = app.services.ids.next("stream");
  await app.pool.query("insert into live_streams (id, user_id, is_person, seen_at) values ($1, $2, true, now())", [
    stream,
    user.userId,
  ]);
  await app.pool.query("insert into live_places (stream_id, estimation_id) values ($1, $2)", [stream, estimation]);
  return { stream };
}

export const liveSamples: Samples<typeof live> = {
  watchLive: () => ({ query: { seconds: 0 } }),
  setLivePlaces: ({ stream, estimation, option }) => ({
    params: { streamId: stream },
    body: { places: [{ estimationId: estimation, lineId: option }] },
  }),
};
