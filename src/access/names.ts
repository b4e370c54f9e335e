/** Parses a list of names: a JSON array, or separated by commas, blanks or line breaks. */
export function namesOf(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // Not JSON: a separated list.
  }
  return text.split(/[\s,，;；]+/).filter((name) => name !== '');
}
