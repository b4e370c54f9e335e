/** Legacy spellings of a wire name's prefix and ours; deployed shop modules and agents send the former. */
const PREFIXES: readonly (readonly [legacy: string, ours: string])[] = [
  ['mn_', 'svc_'],
  ['x-mnbt-', 'x-svc-'],
];

/** Our name of a form field or (lower-case) header; one that is ours already stays as it is. */
export function currentName(name: string): string {
  for (const [legacy, ours] of PREFIXES) {
    if (name.startsWith(legacy)) return ours + name.slice(legacy.length);
  }
  return name;
}

/** The same values under our names. Where both spellings are given, ours counts. */
export function withCurrentNames<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  const renamed: Record<string, Value> = Object.create(null) as Record<string, Value>;
  for (const [name, value] of Object.entries(values)) {
    const current = currentName(name);
    if (current === name || !Object.hasOwn(values, current)) renamed[current] = value;
  }
  return renamed;
}
