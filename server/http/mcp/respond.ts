import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createProtocol } from "./protocol.ts";

/** By JSON-RPC: not a request. */
const INVALID_REQUEST = -32_600;

/** Responds to one message of the protocol in JSON. Nothing of it is kept. Refuses several at a time, which its newer versions do not have. */
export async function respondTo(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Parameters<typeof createProtocol>[0],
): Promise<FastifyReply> {
  if (Array.isArray(request.body)) {
    const error = { code: INVALID_REQUEST, message: "Send one message at a time" };
    return reply.code(400).send({ jsonrpc: "2.0", id: null, error });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createProtocol(caller);
  await server.connect(transport);
  try {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as [string, string]] : [],
    );
    const asked = new Request(`http://localhost${request.url}`, { method: "POST", headers });
    const response = await transport.handleRequest(asked, { parsedBody: request.body ?? null });
    for (const [name, value] of response.headers) reply.header(name, value);
    return await reply.code(response.status).send(await response.text());
  } finally {
    await server.close();
  }
}
