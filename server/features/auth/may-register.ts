import type { Config } from "../../config.ts";

/** Returns whether an address, in normalized form, may make an account for itself. */
export function mayRegister(
  email: string,
  { registration, registrationDomains }: Pick<Config, "registration" | "registrationDomains">,
): boolean {
  if (registration === "closed") return false;
  return registrationDomains === null || registrationDomains.includes(email.slice(email.lastIndexOf("@") + 1));
}
