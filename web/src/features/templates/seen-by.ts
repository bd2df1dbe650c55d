import type { Template } from "../../../../contract/endpoints/templates.ts";
import { templateTexts as t } from "./texts.ts";

/** Returns who sees a template, in words. */
export const seenBy = ({ visibility, team }: Pick<Template, "visibility" | "team">): string =>
  visibility === "instance" ? t.everyone : (team?.name ?? t.onlyYou);
