import { Failure } from "../clients/cli/failure.ts";

/** The tour was asked to stop. */
export class Stopped extends Error {}

/** Something came out differently from what the tour expects; the message is for the person at the terminal. */
export class TourFailure extends Failure {}
