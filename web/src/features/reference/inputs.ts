import type { Client } from "../../../../contract/client/client-of.ts";
import type { Operation, Parameter } from "./description.ts";
import type { Request } from "./samples.ts";

/** What the reader typed: the body, and the parameters by place and name. */
export interface Inputs {
  readonly body: string | undefined;
  readonly values: Readonly<Record<string, string>>;
}

export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

export function startOf({ body }: Operation): Inputs {
  return { body: body === undefined ? undefined : JSON.stringify(body.example ?? {}, null, 2), values: {} };
}

/** Whether a value of the path would lead to another address: "." and ".." are resolved. */
export const isAstray = ({ in: place }: Parameter, value: string | undefined): boolean =>
  place === "path" && /^\.{1,2}$/.test(value ?? "");

/** Whether everything that the request needs is typed, and leads where it says. */
export const isComplete = (operation: Operation, { values }: Inputs): boolean =>
  operation.parameters.every((one) => {
    const value = values[keyOf(one)];
    return !(one.required && !value) && !isAstray(one, value);
  });

/** Requests that make, replace or end a credential, or give something away. */
const GRAVE: readonly string[] = [
  "logOut",
  "renewSession",
  "changePassword",
  "createApiKey",
  "rotateApiKey",
  "createWebhook",
  "rotateWebhookSecret",
  "transferEstimation",
] satisfies readonly (keyof Client)[];

/** Whether the reader is asked before the request is sent. */
export const isGrave = ({ id, method }: Pick<Operation, "id" | "method">): boolean =>
  method === "DELETE" || GRAVE.includes(id);

/** Returns the request of what was typed; what is missing in the path is the parameter's example. */
export function requestOf({ method, path, parameters, credential }: Operation, { body, values }: Inputs): Request {
  const typed = (place: Parameter["in"]) =>
    parameters.flatMap((one): [string, string][] => {
      const value = values[keyOf(one)];
      return one.in === place && value ? [[one.name, value]] : [];
    });
  const below = path.replace(/\{(\w+)\}/g, (mark, name: string) => {
    const example = parameters.find((one) => one.in === "path" && one.name === name)?.example;
    const value = values[`path ${name}`];
    return value ? encodeURIComponent(value) : String(example ?? mark);
  });
  // Commas separate the values of a list; encoded ones would be part of a value.
  const query = `${new URLSearchParams(typed("query"))}`.replaceAll("%2C", ",");
  const url = location.origin + below + (query && `?${query}`);
  return { method, url, hasCredential: credential !== "none", headers: Object.fromEntries(typed("header")), body };
}
