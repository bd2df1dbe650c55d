import { type Endpoint, paramsOf } from "../../../contract/endpoint.ts";
import { fail } from "../failure.ts";
import type { CoreMounting, Exchange, FoundByRecord } from "./step.ts";

/**
 * Returns how the estimation of a row is found: by its own id in the path, or else by that of a record that belongs to
 * it. Refuses (404) a record that does not exist. Throws while mounting if nothing finds it for such a path.
 */
export function estimationFinder(
  { path }: Endpoint,
  { estimationOf }: Pick<CoreMounting, "estimationOf">,
): (exchange: Exchange) => FoundByRecord | Promise<FoundByRecord> {
  const idIn = ({ request }: Exchange, name: string) => (request.params as Record<string, string>)[name] ?? "";
  const [name = ""] = paramsOf(path);
  if (name === "id") return (exchange) => ({ estimationId: idIn(exchange, name), isTheirs: false });
  const find = estimationOf[name];
  if (!find) throw new Error(`nothing finds the estimation of a path with :${name}: ${path}`);
  return async (exchange) => {
    const { userId } = exchange.request.actor ?? fail("authorization_missing");
    return (await find(exchange.db, idIn(exchange, name), userId)) ?? fail("not_found");
  };
}
