/** Names somebody sent: a JSON array, or a list with commas or lines. */
export function namesOf(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // A list with commas is no JSON.
  }
  return text.split(/[\s,，;；]+/).filter((name) => name !== '');
}
