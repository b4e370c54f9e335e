/** Maximum names listed per entry. */
const NAMED = 10;

/** Report of what an import takes and skips, with reasons. */
export class ImportReport {
  private readonly takenCounts = new Map<string, number>();
  private readonly leftNames = new Map<string, { count: number; names: string[] }>();
  private readonly noted = new Map<string, { count: number; names: string[] }>();

  /** Counts imported rows. @param what for example `hosting accounts` */
  took(what: string, count = 1): void {
    this.takenCounts.set(what, (this.takenCounts.get(what) ?? 0) + count);
  }

  /** Reports a skipped row. @param name identifies it; must not contain secrets */
  left(what: string, why: string, name: string): void {
    add(this.leftNames, `${what}: ${why}`, name);
  }

  /** Reports a manual step for an imported row. */
  note(text: string, name: string): void {
    add(this.noted, text, name);
  }

  /** Whether nothing was imported. */
  get isEmpty(): boolean {
    return this.takenCounts.size === 0;
  }

  lines(): string[] {
    return [
      'Taken:',
      ...(this.isEmpty ? ['  nothing'] : [...this.takenCounts].map(([what, count]) => `  ${what}: ${count}`)),
      ...section('Left:', this.leftNames),
      ...section('To be seen to:', this.noted),
    ];
  }
}

type Named = Map<string, { count: number; names: string[] }>;

function add(named: Named, text: string, name: string): void {
  const entry = named.get(text) ?? { count: 0, names: [] };
  entry.count += 1;
  if (entry.names.length < NAMED) entry.names.push(name.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 80));
  named.set(text, entry);
}

function section(title: string, named: Named): string[] {
  if (named.size === 0) return [];
  return [
    title,
    ...[...named].map(
      ([text, { count, names }]) => `  ${text}: ${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`,
    ),
  ];
}
