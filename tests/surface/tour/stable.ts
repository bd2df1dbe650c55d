/** What differs from run to run, by what it looks like. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b(est|usr|key|wh|wd|nod|opt|tsk)_[0-9a-z]{26}\b/g, "$1_id"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "request id"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "time"],
  [/webhook-timestamp: \d{10}/g, "webhook-timestamp: seconds"],
  [/(tour|noor)-\w+@/g, "somebody@"],
  [/localhost:\d+/g, "localhost:port"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:port"],
  [/sha256=[0-9a-f]{64}/g, "sha256=hex"],
  [/v1,[\w+/]{43}=/g, "v1,base64"],
  [/svc_live_[\w-]+…?/g, "svc_live_body"],
  [/whsec_[\w+/]+=*…?/g, "whsec_body"],
  [/eyJ[\w.-]+…?/g, "jwt"],
];

/** `text` without what differs from run to run. */
export const stable = (text: string): string =>
  CHANGING.reduce((replaced, [pattern, name]) => replaced.replace(pattern, name), text);
