/** What the browser keeps for this site, or for this tab (`sessionStorage`); undefined where that is switched off. */
export function storage(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}
