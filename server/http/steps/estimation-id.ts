import { type Endpoint, paramsOf } from "../../../contract/endpoint.ts";
import { fail } from "../failure.ts";
import type { CoreMounting, Exchange } from "./step.ts";

/**
 * Returns how the estimation of a row is found: by its own id in the path, or else by that of a record that belongs to
 * it. Refuses (404) a record that does not exist. Throws, when the row is mounted, where nothing finds its estimation.
 */
export function estimationIdOf(
  { path, right }: Endpoint,
  { estimationOf }: Pick<CoreMounting, "estimationOf">,
): (exchange: Exchange) => string | Promise<string> {
  const idIn = ({ request }: Exchange, name: string) => (request.params as Record<string, string>)[name] ?? "";
  const [name = ""] = paramsOf(path);
  if (name === "id") return (exchange) => idIn(exchange, name);
  const find = estimationOf[name];
  if (right !== undefined && !find) throw new Error(`${path} has a right, and nothing finds an estimation by ${name}`);
  return async (exchange) => (await find?.(exchange.db, idIn(exchange, name))) ?? fail("not_found");
}
