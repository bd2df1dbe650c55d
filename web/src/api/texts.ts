/** What the reader is told when a request fails. */
export const failureTexts = {
  unreachable: "Can’t reach the service. Check your connection and try again.",
  unexpected: "Something went wrong. Try again.",
  foreign: (status: number) =>
    status === 413
      ? "A proxy in front of the service refused this as too large. Whoever runs the service can raise the proxy's limit."
      : `A proxy in front of the service responded instead of it (status ${status}). If it happens again, tell whoever runs the service.`,
  secretLost: "It worked, but the response with the key or secret was lost. Find it in the list and replace it.",
  rateLimited: (seconds: number) =>
    seconds <= 90
      ? `Too many attempts. Try again in ${seconds} seconds.`
      : `Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`,
  byKey: {
    invalid_credentials: "Wrong e-mail address or password.",
    email_taken: "This e-mail address already has an account. Sign in instead.",
    registration_closed: "New accounts aren’t accepted here, or not from this e-mail domain.",
    invalid_reset_token: "This link has expired or was already used. Request a new one.",
    invalid_verification_token: "This link has expired or was already used. Request a new one.",
    invalid_exchange_code: "This sign-in has expired or was already used. Start again.",
    not_found: "Not found, or not shared with you.",
    forbidden: "You don’t have permission to do this.",
    email_not_verified: "Confirm your e-mail address first: we sent you a link.",
    estimation_locked: "It’s submitted and locked. Reopen it to make changes.",
    revision_mismatch: "Someone else changed it in the meantime.",
    response_not_stored: "This was already done. Reload the page to see it.",
    invalid_transition: "Someone else changed its status. You see the current one.",
    invitation_accepted: "This invitation was already accepted.",
    export_ended: "This export has already ended.",
    reviewer_is_owner: "You own this estimation. Ask someone else to review it.",
    reviewer_declined: "They recently declined a review from you. Ask someone else.",
    limit_reached: "You’ve reached the limit. Delete something first.",
    payload_too_large: "This is too large.",
    service_unavailable: "The service is busy. Try again in a moment.",
    tree_incomplete: "Some questions aren’t complete yet.",
    template_empty: "Add a question first: a template can’t be empty.",
    review_moved: "The estimation has a newer version. Read it, then decide.",
    review_withdrawn: "This review was withdrawn. Ask the owner to request a new one.",
    api_key_revoked: "This key is revoked and can’t be changed.",
    invitation_expired: "This invitation has expired. Ask for a new one.",
    delivery_under_way: "This delivery is still in progress.",
    webhook_inactive: "This webhook is paused. Resume it first.",
    webhook_url_must_be_https: "The address must start with https://",
    export_in_progress: "An export is already running. Wait until it ends, or cancel it.",
    export_not_resumable: "This export can’t be resumed. Start a new one.",
    tasks_missing: "Generate the tasks first.",
    request_under_way: "This is already being done. Check the result in a moment.",
    outcome_unknown: "It isn’t certain that this was done. Check before you try again.",
    request_timeout: "Sending took too long. Try again.",
    google_sign_in_disabled: "Sign-in with Google isn’t set up here.",
    token_revoked: "Your session has ended. Sign in again.",
    internal_error: "The service failed. Try again; if it keeps happening, tell whoever runs it.",
  },
} as const;
