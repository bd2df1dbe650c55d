import { limits } from "../../../contract/limits.ts";
import { VISIBLE } from "../../../contract/shapes.ts";
import { isStorable } from "../../http/storable.ts";
import { normalizeEmail } from "../auth/index.ts";
import type { Claims } from "./provider.ts";

/** Returns the address that the provider vouches for, normalized; null if it gives none that an account could have. */
export function emailOf({ email }: Claims): string | null {
  return typeof email === "string" && isStorable(email) ? normalizeEmail(email) : null;
}

/** Returns the name for a new account, within its limit; null if the provider gives none. */
export function nameOf({ name }: Claims): string | null {
  const given = typeof name === "string" && isStorable(name) ? name.trim() : "";
  return !new RegExp(VISIBLE, "u").test(given) ? null : [...given].slice(0, limits.userNameLength).join("").trimEnd();
}

/** Returns the picture for a new account; null if the provider gives none that the service would show. */
export function pictureOf({ picture }: Claims): string | null {
  if (typeof picture !== "string" || picture.length > limits.urlLength) return null;
  const url = URL.parse(picture);
  const plain = url?.protocol === "https:" && url.username === "" && url.password === "";
  return plain && /^https:\/\/\S+$/.test(picture) && isStorable(picture) ? picture : null;
}
