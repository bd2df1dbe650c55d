import { useEffect, useState } from "react";

/** Returns a secret of the page's address as it was at first, and takes it out of the address bar and the history. */
export function useSecret(inAddress: string | undefined): string | undefined {
  const [secret] = useState(inAddress);
  useEffect(() => history.replaceState(history.state, "", location.pathname), []);
  return secret;
}
