/** Parses a whole number of a list request: `fallback` if invalid, clamped to `min` and `max`. */
export function between(text: string | undefined, min: number, max: number, fallback: number): number {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : fallback;
  return Math.min(max, Math.max(min, value));
}

/** Parses the field and value of a list search; both empty if missing or invalid. */
export function searchOf(where: string | undefined): { name: string; value: string } {
  try {
    const { name, value } = JSON.parse(where || '{}') as Record<string, unknown>;
    return { name: String(name ?? ''), value: String(value ?? '') };
  } catch {
    return { name: '', value: '' };
  }
}
