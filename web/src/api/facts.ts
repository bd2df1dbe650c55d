import type { InstanceFacts } from "../../../contract/pages.ts";

/** While developing there is no server that fills them in. */
const ASSUMED: InstanceFacts = {
  google: false,
  registration: true,
  provesAddresses: false,
  mails: true,
  trashDays: 30,
};

function read(): InstanceFacts {
  try {
    const written = document.querySelector<HTMLMetaElement>('meta[name="instance-facts"]')?.content ?? "";
    return JSON.parse(written) as InstanceFacts;
  } catch {
    return ASSUMED;
  }
}

/** What the server says about the instance. */
export const facts: InstanceFacts = read();
