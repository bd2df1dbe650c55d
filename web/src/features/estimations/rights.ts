import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { may } from "../../../../domain/access.ts";

/** Returns whether the reader may change it; whether its content can be changed is for its state to say. */
export const mayEdit = ({ access }: Pick<Estimation, "access">): boolean => may(access, "edit") === "allowed";
