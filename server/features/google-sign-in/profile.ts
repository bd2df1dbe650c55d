import { limits } from "../../../contract/limits.ts";
import { isStorable } from "../../http/storable.ts";
import { normalizeEmail } from "../auth/index.ts";
import type { Claims } from "./provider.ts";

/** The address that the provider vouches for, normalized; null where it names none that an account could have. */
export function emailOf({ email }: Claims): string | null {
  return typeof email === "string" && isStorable(email) ? normalizeEmail(email) : null;
}

/** The name for a new account, within its limit; null where the provider tells none. */
export function nameOf({ name }: Claims): string | null {
  const given = typeof name === "string" && isStorable(name) ? name.trim() : "";
  return given === "" ? null : [...given].slice(0, limits.userNameLength).join("").trimEnd();
}

/** The picture for a new account; null where the provider tells none that we would show. */
export function pictureOf({ picture }: Claims): string | null {
  if (typeof picture !== "string" || picture.length > limits.avatarUrlLength) return null;
  const url = URL.parse(picture);
  const plain = url?.protocol === "https:" && url.username === "" && url.password === "";
  return plain && /^https:\/\/\S+$/.test(picture) && isStorable(picture) ? picture : null;
}
