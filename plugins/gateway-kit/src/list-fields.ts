/** A whole number that a list was asked with: `usual` where it is none, and never beyond `least` and `most`. */
export function between(text: string | undefined, least: number, most: number, usual: number): number {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : usual;
  return Math.min(most, Math.max(least, value));
}

/** What a list is searched for, and by which field; both empty where nothing is, or where it cannot be read. */
export function searchOf(where: string | undefined): { name: string; value: string } {
  try {
    const { name, value } = JSON.parse(where || '{}') as Record<string, unknown>;
    return { name: String(name ?? ''), value: String(value ?? '') };
  } catch {
    return { name: '', value: '' };
  }
}
