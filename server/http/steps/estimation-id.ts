import { type Endpoint, paramsOf } from "../../../contract/endpoint.ts";
import { fail } from "../failure.ts";
import type { CoreMounting, Exchange } from "./step.ts";

/**
 * Returns how the estimation of a row is found: by its own id in the path, or else by that of a record that belongs to
 * it. Refuses (404) a record that does not exist.
 */
export function estimationIdOf(
  { path }: Endpoint,
  { estimationOf }: Pick<CoreMounting, "estimationOf">,
): (exchange: Exchange) => string | Promise<string> {
  const idIn = ({ request }: Exchange, name: string) => (request.params as Record<string, string>)[name] ?? "";
  const [name = ""] = paramsOf(path);
  if (name === "id") return (exchange) => idIn(exchange, name);
  return async (exchange) => (await estimationOf[name]?.(exchange.db, idIn(exchange, name))) ?? fail("not_found");
}
