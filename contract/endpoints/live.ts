import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { Id, Nullable, OneOf, Person, Shape } from "../shapes.ts";
import { activityKindNames } from "../values/activity-kinds.ts";

const lineId = Nullable(
  Type.String({
    pattern: "^(nod|opt)_[0-9a-z]{26}$",
    "x-form": "the id of a node or an option",
    description: "The node or option; null: no particular one",
  }),
);

const LiveEvent = Shape({
  type: OneOf(["opened", "changed", "present", "answered", "closed", "notified"], {
    description:
      "`opened`: the first event, with `streamId`. `changed`: `estimationId` has the revision `revision`; `changes` says what was done since the last such event. `present`: how many others are in it, and for its owner and editors who and where. `answered`: in the round `roundId` the number of those who have answered is another one. `closed`: it may not be read any more; the stream says no more about it. `notified`: `unread` notifications are not read",
  }),
  streamId: Type.Optional(Id("stream")),
  estimationId: Type.Optional(Id("estimation")),
  roundId: Type.Optional(Id("round")),
  revision: Type.Optional(Type.Integer({ minimum: 1 })),
  changes: Type.Optional(
    Type.Array(Shape({ kind: OneOf(activityKindNames), person: Person("Who did it") }), {
      maxItems: limits.liveChanges,
      description:
        "As the activity has them; empty: read again, because the stream has begun to follow the estimation, or may have missed something",
    }),
  ),
  unread: Type.Optional(Type.Integer({ minimum: 0 })),
  others: Type.Optional(Type.Integer({ minimum: 0, description: "How many other people have it open" })),
  people: Type.Optional(
    Type.Array(Shape({ id: Id("user"), name: Type.String(), lineId }), {
      maxItems: limits.livePeople,
      description: "Who they are, and where; empty for whoever may not edit it",
    }),
  ),
});
export type LiveEvent = Static<typeof LiveEvent>;

export const live = endpoints({
  watchLive: {
    method: "GET",
    path: "/api/live",
    summary: "Hear of what others do, as they do it",
    description: `The first event names the stream; \`PUT /api/live/:streamId\` says what it follows. A stream that is read slowly ends. Read it with a client that can send the \`Authorization\` header, and open it again when it has ended; whoever cannot keep one open reads the estimation with \`If-None-Match\` from time to time. To a key it only shows \`changed\` and \`closed\`.`,
    access: "estimations:read",
    query: Shape({
      seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.eventStreamSeconds,
          default: limits.eventStreamSeconds,
          description: "How long it stays open; 0: until the first event, to try whether streams arrive",
        }),
      ),
    }),
    response: { status: 200, stream: LiveEvent },
  },
  setLivePlaces: {
    method: "PUT",
    path: "/api/live/:streamId",
    summary: "Say which estimations a stream follows, and where its user is",
    description:
      "Replaces what it followed before. The response has those that it follows now: estimations that may not be read are left out. Others who have the same estimation open see where the user is, unless the credential is a key.",
    params: { streamId: "Id of the stream, from its first event" },
    access: "estimations:read",
    body: Shape({
      places: Type.Array(Shape({ estimationId: Type.String(), lineId }), {
        maxItems: limits.livePlaces,
        description: "The estimations that it follows, and where in each its user is",
      }),
    }),
    response: {
      status: 200,
      data: Shape({
        live: Shape({
          places: Type.Array(Shape({ estimationId: Id("estimation"), lineId }), { maxItems: limits.livePlaces }),
        }),
      }),
    },
  },
});
