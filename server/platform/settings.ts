import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";

/** Why a setting cannot be used. The message continues the setting's name: "must be …". */
export class Unusable extends Error {}

const refuse = (message: string): never => {
  throw new Unusable(message);
};

export const text = (value: string): string => value;

/** A secret that is sent in a header. */
export const token = (value: string): string =>
  /^[\x21-\x7e]{16,256}$/.test(value) ? value : refuse("must be 16 to 256 visible ASCII characters without spaces");

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: string): T =>
    values.find((candidate) => candidate === value) ?? refuse(`must be one of ${values.join(", ")}`);

export const number =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    return parsed >= minimum && parsed <= maximum ? parsed : refuse(`must be a number from ${minimum} to ${maximum}`);
  };

export const integer =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const parsed = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return parsed >= minimum && parsed <= maximum
      ? parsed
      : refuse(`must be a whole number from ${minimum} to ${maximum}`);
  };

/** Items with commas between them. */
export const list =
  <T>(parse: (value: string) => T) =>
  (value: string): T[] => {
    const items = value.split(",").map((item) => item.trim());
    return items.map((item, index) => {
      if (/[\s;|]/.test(item)) return refuse("must have commas between its items, and nothing else");
      try {
        return parse(item);
      } catch (error) {
        if (!(error instanceof Unusable)) throw error;
        return refuse(`must be a list with commas between its items; item ${index + 1} ${error.message}`);
      }
    });
  };

/** An http or https address without credentials, query or fragment; returned without a slash at its end. */
export const address = (value: string): string => {
  const parsed = URL.parse(value);
  const plain = parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.search && !parsed.hash;
  return plain ? parsed.href.replace(/\/+$/, "") : refuse("must be an http or https address");
};

/** An https address without credentials, query or fragment; returned without a slash at its end. */
export const httpsAddress = (value: string): string => {
  const checked = address(value);
  return checked.startsWith("https:") ? checked : refuse("must be an https address");
};

/** An OpenID issuer, unchanged: an https address, or http on a loopback address; no credentials, query or fragment. */
export const issuerAddress = (value: string): string => {
  const parsed = URL.parse(value);
  const plain = parsed && !parsed.username && !parsed.password && !/[?#]/.test(value);
  const secure = parsed?.protocol === "https:" || (parsed?.protocol === "http:" && isLoopbackName(parsed.hostname));
  return plain && secure ? value : refuse("must be an https address (http is for loopback addresses only)");
};

const isLoopbackName = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

export const postgresAddress = (value: string): string =>
  /^postgres(ql)?:\/\//.test(value) && isReadable(value)
    ? value
    : refuse("must be an address such as postgresql://user:password@host:5432/database");

/** Returns whether the database's driver can read an address. It allows spaces, and no host if `?host=` names a socket. */
const isReadable = (value: string): boolean => URL.canParse(value.replaceAll(" ", "%20").replace("@/", "@socket/"));

export const mailServerAddress = (value: string): string => {
  const parsed = URL.parse(value);
  return parsed && /^smtps?:$/.test(parsed.protocol) && parsed.hostname !== ""
    ? value
    : refuse("must be an smtp:// or smtps:// address");
};

/** A domain of e-mail addresses; returned as DNS writes it. */
export const mailDomain = (value: string): string => {
  const ascii = /[/?#%\\@:\s]/.test(value) ? "" : domainToASCII(value);
  return /^([a-z0-9_-]{1,63}\.)*(?!\d+$)[a-z0-9_-]{1,63}$/.test(ascii)
    ? ascii
    : refuse("must be a domain such as example.com");
};

/** One address, alone or as `Name <address>`. */
export const sender = (value: string): string =>
  /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value) || /^[^<>\r\n,;:@]*<[^\s@<>,;]+@[^\s@<>,;]+>$/.test(value)
    ? value
    : refuse("must be an e-mail address, alone or as Name <address>");

/** Base64url of at least `minimum` and at most `maximum` bytes. */
export const bytes =
  (minimum: number, maximum: number) =>
  (value: string): Uint8Array => {
    const decoded = /^[\w-]+={0,2}$/.test(value) ? Buffer.from(value, "base64url") : Buffer.alloc(0);
    if (decoded.length >= minimum && decoded.length <= maximum) return decoded;
    return refuse(`must be ${minimum === maximum ? "exactly" : "at least"} ${minimum} bytes in base64url`);
  };

/** A network in CIDR notation, or a single address. */
export const network = (value: string): string => {
  if (ipaddr.isValidCIDR(value)) return value;
  if (ipaddr.isValid(value) && (value.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(value))) {
    return `${value}/${value.includes(":") ? 128 : 32}`;
  }
  return refuse("must be a network in CIDR notation");
};
