/** Legacy and current prefixes of wire names; deployed shop modules and agents send the legacy ones. */
const PREFIXES: readonly (readonly [legacy: string, ours: string])[] = [
  ['mn_', 'svc_'],
  ['x-mnbt-', 'x-svc-'],
];

/** Returns the current name of a form field or (lower-case) header. */
export function currentName(name: string): string {
  for (const [legacy, ours] of PREFIXES) {
    if (name.startsWith(legacy)) return ours + name.slice(legacy.length);
  }
  return name;
}

/** Returns the values under their current names. If both spellings are sent, the current one wins. */
export function withCurrentNames<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  const renamed: Record<string, Value> = Object.create(null) as Record<string, Value>;
  for (const [name, value] of Object.entries(values)) {
    const current = currentName(name);
    if (current === name || !Object.hasOwn(values, current)) renamed[current] = value;
  }
  return renamed;
}
