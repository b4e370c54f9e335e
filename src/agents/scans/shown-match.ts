/** A match as notices tell of it: the beginning of its word and the end of its path, in characters. */
export const shownMatch = (keyword: string, path: string): { word: string; file: string } => ({
  word: keyword.slice(0, 50),
  file: path.slice(-200),
});
