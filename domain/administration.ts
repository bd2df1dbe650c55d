/** What is decided about an account. */
export interface JudgedAccount {
  readonly id: string;
  readonly isAdministrator: boolean;
  readonly disabledAt: Date | null;
  /** Set for an account that is no person's (any more). */
  readonly standsFor: string | null;
}

/**
 * Whether administrators may disable or erase an account, or hand its estimations over. Not that of an administrator, their
 * own included: one whose password was stolen could lock all others out. Only the operator's command line makes an administrator an ordinary user.
 */
export const mayTakeAway = ({ isAdministrator }: JudgedAccount): boolean => !isAdministrator;

/**
 * Whether the estimations of `from` may be handed over to an account. Not to an administrator, who could read in this way
 * what others wrote; and, as for any share, only to a person who has proved the address.
 */
export const mayReceive = (
  to: JudgedAccount & { readonly isVerified: boolean },
  from: { readonly id: string },
): boolean =>
  to.id !== from.id && !to.isAdministrator && to.disabledAt === null && to.standsFor === null && to.isVerified;
