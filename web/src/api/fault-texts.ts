import type { Fault } from "../../../contract/values/faults.ts";
import { formatCount } from "../ui/numbers/format.ts";

/** The fields of requests as the screens call them. */
const labels: Readonly<Record<string, string>> = {
  title: "Title",
  name: "Name",
  description: "Description",
  email: "E-mail address",
  password: "Password",
  currentPassword: "Current password",
  newPassword: "New password",
  assumptions: "Assumptions",
  clientName: "Client",
  tags: "Tags",
  hourlyRate: "Hourly rate",
  currency: "Currency",
  correlation: "The number",
  rounding: "Rounding",
  optimistic: "Low",
  likely: "Likely",
  pessimistic: "High",
  hours: "Hours",
  override: "Override hours",
  quantity: "Quantity",
  unit: "Unit",
  role: "Role",
  min: "“Choose at least”",
  max: "“Choose at most”",
  requires: "Requires",
  excludes: "Conflicts with",
  actualHours: "Actual hours",
  doneAt: "Done on",
  note: "Note",
  reviewerId: "Reviewer",
  url: "Address",
  baseUrl: "Address",
  droppedResolutions: "“Not done” resolutions",
  token: "Access token",
  events: "Events",
  scopes: "Scopes",
  expiresAt: "Expiry",
  repository: "Repository",
  projectKey: "Project",
  issueType: "Issue type",
  since: "“Failed since”",
};

type Said = Pick<Fault, "path" | "message"> & Partial<Pick<Fault, "code" | "expected">>;
type Text = (label: string, expected: string) => string;

/** By the field and the code, where the code alone would not say what to do. */
const byField: Readonly<Record<string, Text>> = {
  "likely out_of_order": () => "Likely can’t be lower than Low",
  "pessimistic out_of_order": () => "High can’t be lower than Likely",
  "min out_of_order": () => "“Choose at least” can’t be higher than “Choose at most”",
  "max out_of_order": () => "“Choose at most” can’t be lower than “Choose at least”",
  "min out_of_range": (label, most) => `${label} must be a whole number from 0 to ${most}`,
  "max out_of_range": (label, most) => `${label} must be a whole number from 0 to ${most}`,
  "requires self_reference": () => "An option can’t require itself",
  "excludes self_reference": () => "An option can’t conflict with itself",
  "requires cycle": () => "Options can’t require each other in a circle",
  "requires too_many": (label, most) => `${label}: at most ${most} options`,
  "excludes too_many": (label, most) => `${label}: at most ${most} options`,
  "selected several_selected": () => "Only one option can be chosen here",
  "kind several_selected": () => "Only one option can be chosen with “choose one”: deselect the others first",
  "reviewerEmail unknown_reference": () => "No one here has confirmed this e-mail address",
  "reviewerEmail wrong_format": () => "Enter a valid e-mail address",
  "email wrong_format": () => "Enter a valid e-mail address",
  "teamId not_allowed": () => "You’re no longer a member of this team",
  "defaultTeamId not_allowed": () => "You’re no longer a member of this team",
  "tags too_long": (_, most) => `A tag can have at most ${most} characters`,
  "doneAt too_large": () => "“Done on” can’t be in the future",
};

const byCode: Readonly<Partial<Record<Fault["code"], Text>>> = {
  required: (label) => `${label} can’t be empty`,
  blank: (label) => `${label} can’t be empty`,
  too_short: (label, least) =>
    least === "1" ? `${label} can’t be empty` : `${label} needs at least ${least} characters`,
  too_long: (label, most) => `${label} can have at most ${most} characters`,
  too_small: (label, least) => `${label} must be ${least} or more`,
  too_large: (label, most) => `${label} must be ${most} or less`,
  out_of_range: (label, most) => `${label} must be from 0 to ${most}, with at most two decimals`,
  too_many_decimals: (label) => `${label} can have at most two decimals`,
  too_few: (label) => `${label}: choose at least one`,
  too_many: (label, most) => `${label}: at most ${most}`,
  repeated: () => "This is already in the list",
  unknown_reference: () => "This no longer exists",
  unstorable: (label) => `${label} has characters that can’t be stored`,
  common_password: () => "This password is too common",
  guessable_password: () => "This password is too easy to guess: it is your own name or address, or the service’s",
  still_referred_to: () => "Another option requires it or conflicts with it: remove that first",
};

/** By the whole of a tree, whose faults have no field. */
const ofTree: Readonly<Record<string, string>> = {
  too_many: "The estimation has too many questions, options or links",
  too_deep: "Questions can’t be nested deeper",
  too_large: "The estimation is too large",
  cycle: "It can’t be moved into itself",
  out_of_range: "It can’t be moved there",
};

/** Returns what is wrong, for the reader of a screen. */
export function faultText({ path, code, message, expected }: Said): string {
  const field = path.split("/").findLast((segment) => segment !== "" && !/^\d+$/.test(segment)) ?? "";
  const label = labels[field];
  const number = typeof expected === "number" ? formatCount(expected) : String(expected ?? "");
  const whole = label === undefined && code ? ofTree[code] : undefined;
  const text = code && (byField[`${field} ${code}`] ?? (label === undefined && whole ? undefined : byCode[code]));
  const needsNumber = code !== undefined && /^(too_(small|large|long|short|many)|out_of_range)$/.test(code);
  if (text && (number !== "" || !needsNumber || byField[`${field} ${code}`])) return text(label ?? "This", number);
  return whole ?? `${label ?? "This"} ${message}`;
}

/** Returns what is wrong with a line of an import; its message begins with the field, where there is one. */
export function importFaultText({
  code,
  message,
}: {
  readonly code?: Fault["code"];
  readonly message: string;
}): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  const [, path = "", rest = ""] = /^(\S+) (.*)$/s.exec(message) ?? [];
  const isField = code !== undefined && (path.split("/").at(-1) ?? "") in labels;
  return isField ? faultText({ path, code, message: rest }) : sentence;
}
