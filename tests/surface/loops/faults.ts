import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Contract, EndpointId } from "../../../contract/index.ts";
import type { ApiParts } from "../../../server/api.ts";
import type { ReadableEstimation } from "../../../server/features/estimations/index.ts";
import type { EstimationLookUp } from "../../../server/http/callers/estimation-access.ts";
import type { Call, Handlers } from "../../../server/http/handler.ts";
import type { Verifiers } from "../../../server/http/steps/identify-caller.ts";
import type { Check } from "../../../server/http/validation/validation.ts";

type LookUp = EstimationLookUp<ReadableEstimation>;

type AnyHandler = (call: AnyCall) => Promise<AnyResponse>;

/** A call without its types, so that one fault fits any endpoint with such parts. */
export type AnyCall = Omit<Call<Endpoint>, "params" | "actor"> & {
  readonly params: Readonly<Record<string, string>>;
  readonly actor: { readonly userId: string };
  readonly estimation?: ReadableEstimation;
};

interface AnyResponse {
  readonly data: Readonly<Record<string, unknown>>;
  readonly revision?: number;
}

/** What a faulty API does instead of the sound one. */
export interface Fault {
  /** A faulty declaration of the endpoint: for loops that check declarations. */
  readonly endpoint?: (sound: Endpoint) => Endpoint;
  /** Responds to a call of the endpoint; `sound` is the endpoint's own handler. */
  readonly handler?: (call: AnyCall, sound: AnyHandler) => Promise<AnyResponse>;
  /** Finds estimations, for every endpoint; methods that it leaves out are those of `sound`. */
  readonly estimations?: (sound: LookUp) => Partial<LookUp>;
  /** Proves credentials, for every endpoint; methods that it leaves out are those of `sound`. */
  readonly verifiers?: (sound: Verifiers) => Partial<Verifiers>;
  /** Runs for every request before anything is checked. */
  readonly early?: (request: FastifyRequest, response: FastifyReply) => Promise<void> | void;
  /** Checks bodies, or queries, of every endpoint; `sound` throws for those that the endpoint does not accept. */
  readonly body?: (body: unknown, sound: Check) => void;
  readonly query?: (query: unknown, sound: Check) => void;
}

/** An API with faults that can be switched on while it runs. */
export interface Faults {
  readonly plant: (parts: ApiParts) => ApiParts;
  /** Runs `work` while endpoint `id` has the fault. */
  during(id: EndpointId, fault: Fault, work: () => Promise<void>): Promise<void>;
}

export function createFaults(): Faults {
  let current: { readonly id: EndpointId; readonly fault: Fault } | undefined;

  const faulty =
    (id: string, sound: AnyHandler): AnyHandler =>
    (call) =>
      current?.id === id && current.fault.handler ? current.fault.handler(call, sound) : sound(call);
  const lax =
    (part: "body" | "query", sound: Check): Check =>
    (value) =>
      current?.fault[part] ? current.fault[part](value, sound) : sound(value);

  const confused = (sound: LookUp): LookUp => {
    const found = (): LookUp => ({ ...sound, ...current?.fault.estimations?.(sound) });
    return {
      find: (...who) => found().find(...who),
      findWithTree: (...who) => found().findWithTree(...who),
      lock: (...who) => found().lock(...who),
    };
  };

  const trusting = (sound: Verifiers): Verifiers => {
    const found = (): Verifiers => ({ ...sound, ...current?.fault.verifiers?.(sound) });
    return { session: (token) => found().session(token), key: (plaintext) => found().key(plaintext) };
  };

  return {
    plant({ handlers, mounting }) {
      const { validation } = mounting;
      const all = Object.entries(handlers as unknown as Record<string, AnyHandler>);
      return {
        handlers: Object.fromEntries(all.map(([id, sound]) => [id, faulty(id, sound)])) as unknown as Handlers<
          Contract,
          ReadableEstimation
        >,
        mounting: {
          ...mounting,
          estimations: confused(mounting.estimations),
          verifiers: trusting(mounting.verifiers),
          rateLimit: {
            ...mounting.rateLimit,
            async count(...request) {
              await current?.fault.early?.(request[0], request[1]);
              return mounting.rateLimit.count(...request);
            },
          },
          validation: {
            body: (schema) => lax("body", validation.body(schema)),
            query: (schema) => lax("query", validation.query(schema)),
          },
        },
      };
    },
    async during(id, fault, work) {
      current = { id, fault };
      try {
        await work();
      } finally {
        current = undefined;
      }
    },
  };
}
