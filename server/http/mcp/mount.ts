import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import inject from "light-my-request";
import type { ToolRequest } from "../../../clients/mcp/request.ts";
import { withinDeadline } from "../../platform/deadline.ts";
import { fail } from "../failure.ts";
import type { Actor } from "../handler.ts";
import { identifyCaller } from "../steps/identify-caller.ts";
import type { Mounting } from "../steps/step.ts";

const PATH = "/mcp";
/** Of a request: what its calls send too. */
const PASSED_ON = ["authorization", "user-agent", "x-forwarded-for"] as const;

/**
 * `POST /mcp`: the Model Context Protocol (Streamable HTTP, without sessions) for programs with language models. Each call of a tool is
 * a request of the API, sent within the process with the caller's own key: it takes every step of one.
 */
export function mountMcp(app: FastifyInstance, mounting: Mounting): void {
  const { clock, config } = mounting.services;
  const { baseUrl, webUrl, requestTimeoutSeconds } = config;
  const origins = [baseUrl, webUrl].map((url) => new URL(url).origin);
  const identify = identifyCaller({ ...ROW, access: "credential" }, mounting, async () => undefined);
  app.post(PATH, {
    onRequest: async (request, reply) => {
      reply.header("cache-control", "no-store");
      const { origin } = request.headers;
      // A page that somebody was lured to could otherwise use a server on their machine.
      if (origin !== undefined && !origins.includes(origin))
        fail("forbidden", { hint: "Pages of other origins may not send requests to /mcp." });
      await withinDeadline(clock, requestTimeoutSeconds * 1_000, async () => identify?.(request, reply));
      if (request.actor?.credential !== "key")
        fail("api_key_invalid", { hint: "Send an API key: sessions are for people." });
    },
    handler: async (request, reply) => {
      // With the first request, so as not to delay the start.
      const { respondTo } = await import("./respond.ts");
      // Room that it took for a large body, which its calls need.
      request.leave?.();
      const { actor } = request as { actor: Actor };
      return respondTo(request, reply, { scopes: actor.scopes, send: (call) => sendWithin(app, request, reply, call) });
    },
  });
}

const ROW = { method: "POST", path: PATH, summary: "", response: { status: 302, location: "" } } as const;

/** Sends a request of the API within the process, for whoever sent `request`. It ends when that client is gone. */
async function sendWithin(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { method, url, headers, body }: ToolRequest,
) {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const passedOn = PASSED_ON.flatMap((name) =>
    request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
  );
  // As the server itself dispatches it: `app.inject` refuses while the service drains.
  const response = await inject((raw, response) => app.routing(raw, response), {
    ...{ method, url, signal: gone.signal },
    headers: { ...Object.fromEntries(passedOn), "x-request-id": request.id, ...headers },
    ...(request.socket.remoteAddress === undefined ? {} : { remoteAddress: request.socket.remoteAddress }),
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: response.statusCode, text: response.body };
}
