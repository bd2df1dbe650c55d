/** Something came out differently from what the tour expects; the message is for the person at the terminal. */
export class TourFailure extends Error {}
