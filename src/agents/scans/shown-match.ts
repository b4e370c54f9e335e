/** Shortens a match for notifications: the start of the keyword and the end of the path. */
export const shownMatch = (keyword: string, path: string): { word: string; file: string } => ({
  word: keyword.slice(0, 50),
  file: path.slice(-200),
});
