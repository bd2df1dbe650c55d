import { create } from "content-disposition";
import build, { type AnySchema, type Schema } from "fast-json-stringify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Endpoint, successesOf } from "../../../contract/endpoint.ts";
import { components } from "../../../contract/index.ts";
import type { File } from "../handler.ts";
import { hasAlready, tagOf } from "../revisions.ts";
import type { HandlerResult, Mounting } from "../steps/step.ts";
import { responsesData } from "./response-schema.ts";
import { sendEvents } from "./send-events.ts";

type Serialize = (data: unknown) => string;

const shared = new Map(components.map((schema) => [schema.$id, schema as Schema]));

/** For every schema once, also where a process starts the service several times, as tests do. */
const built = new WeakMap<object, Serialize>();

/**
 * Returns what writes responses of a schema as JSON. It is built when the first response is written: building those of
 * all rows would take a third of a start.
 */
export const serializerCompiler = ({ schema }: { readonly schema: unknown }): Serialize => {
  let serialize: Serialize | undefined;
  return (data) => {
    serialize ??= serializerOf(schema as object);
    return serialize(data);
  };
};

function serializerOf(schema: object): Serialize {
  const serialize = built.get(schema) ?? build(schema as AnySchema, { schema: componentsIn(schema) });
  built.set(schema, serialize);
  return serialize;
}

/**
 * Returns the components that a part of a schema refers to, also through others. The compiler prepares whatever it is
 * given, and nearly every response uses one or two of the components: with all of them it would take four times as long.
 */
function componentsIn(part: unknown, found: Record<string, Schema> = {}): Record<string, Schema> {
  if (typeof part !== "object" || part === null) return found;
  const { $ref } = part as { readonly $ref?: unknown };
  const id = typeof $ref === "string" ? $ref.replace(/#.*$/, "") : "";
  const component = shared.get(id);
  if (component && !(id in found)) {
    found[id] = component;
    componentsIn(component, found);
  }
  for (const inner of Object.values(part)) componentsIn(inner, found);
  return found;
}

/**
 * Sends a file to save. Its name is sent as RFC 6266 says: in ASCII, and in UTF-8 (RFC 8187) if it has other characters.
 */
function sendFile(reply: FastifyReply, file: File): FastifyReply {
  reply.header("content-disposition", create(file.name));
  if ("text" in file) return reply.type(`${file.type}; charset=utf-8`).send(file.text);
  // As a buffer, which the hooks of responses know.
  return reply.type(file.type).send(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
}

/** Sends what a handler returned. `signal` ends a stream of lines. */
type Respond = (request: FastifyRequest, reply: FastifyReply, response: HandlerResult, signal?: AbortSignal) => unknown;

/** Returns how the responses of an endpoint are sent: data in the envelope, a file, lines or a redirect. */
export function respondAs(endpoint: Endpoint, mounting: Mounting): Respond {
  const send = senderOf(endpoint, mounting);
  return (request, reply, response, signal) => {
    if (typeof response.revision === "number") {
      const tag = tagOf(response.revision, response.view);
      reply.header("etag", `"${tag}"`);
      if (endpoint.method === "GET" && hasAlready(request.headers["if-none-match"], tag)) {
        return reply.code(304).send();
      }
    }
    return send(request, reply.code(endpoint.response.status), response, signal);
  };
}

function senderOf(endpoint: Endpoint, { services, watchCredential }: Mounting): Respond {
  const { response: declared } = endpoint;
  if (responsesData(endpoint)) {
    const successes = successesOf(endpoint.response);
    return (request, reply, { status, data }) => {
      const success = successes.find((candidate) => candidate.status === status) ?? endpoint.response;
      const created = "created" in success ? success.created : undefined;
      if (created !== undefined) reply.header("location", locationOf(created, request.params, data));
      reply.code(success.status);
      return { success: true, data };
    };
  }
  if ("file" in declared) return (_, reply, { file }) => sendFile(reply, file as NonNullable<typeof file>);
  if ("stream" in declared) {
    return (request, reply, { stream }, signal) => {
      const write = reply.compileSerializationSchema(declared.stream as object as Record<string, unknown>);
      const serialize = (value: unknown) => write(value as object as Record<string, unknown>);
      return sendEvents(request, reply, stream as AsyncIterable<unknown>, {
        signal: signal as AbortSignal,
        serialize,
        clock: services.clock,
        watchCredential: (end) => watchCredential?.(request, endpoint.access, end) ?? (() => {}),
      });
    };
  }
  return (_, reply, { location, setCookie }) => {
    reply.header("location", location);
    if (setCookie !== undefined) reply.header("set-cookie", setCookie);
    return reply.send();
  };
}

/** The path of the new record: the ids of the request, and its own id for the parameter that the request lacks. */
function locationOf(path: string, params: unknown, data: unknown): string {
  const given = params as Readonly<Record<string, string>>;
  const [made] = Object.values(data as Readonly<Record<string, { readonly id: string }>>);
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => given[name] ?? made?.id ?? "");
}
