/** Returns the browser's storage for this site, or for this tab (`sessionStorage`); undefined if it is disabled. */
export function storage(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}
