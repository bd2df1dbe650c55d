/** The pages of the web application at `webUrl` that mails and events lead to. */
export const webPages = {
  estimation: (webUrl: string, id: string): string => `${webUrl}/estimations/${id}`,
  review: (webUrl: string, id: string, reviewId: string): string => `${webUrl}/estimations/${id}/reviews/${reviewId}`,
  /** Accepts an invitation. */
  invitation: (webUrl: string, shareId: string): string => `${webUrl}/shared?accept=${shareId}`,
} as const;
