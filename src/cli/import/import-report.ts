/** Maximum names listed per entry. */
const MAX_NAMES = 10;

/** Report of what an import takes and skips, with reasons. */
export class ImportReport {
  private readonly imported = new Map<string, number>();
  private readonly skipped = new Map<string, { count: number; names: string[] }>();
  private readonly notes = new Map<string, { count: number; names: string[] }>();

  /** Counts imported rows. @param what for example `hosting accounts` */
  add(what: string, count = 1): void {
    this.imported.set(what, (this.imported.get(what) ?? 0) + count);
  }

  /** Reports a skipped row. @param name identifies it; must not contain secrets */
  skip(what: string, why: string, name: string): void {
    addName(this.skipped, `${what}: ${why}`, name);
  }

  /** Reports a manual step for an imported row. */
  addNote(text: string, name: string): void {
    addName(this.notes, text, name);
  }

  /** Whether nothing was imported. */
  get isEmpty(): boolean {
    return this.imported.size === 0;
  }

  lines(): string[] {
    return [
      'Imported:',
      ...(this.isEmpty ? ['  nothing'] : [...this.imported].map(([what, count]) => `  ${what}: ${count}`)),
      ...section('Skipped:', this.skipped),
      ...section('Check by hand:', this.notes),
    ];
  }
}

type Named = Map<string, { count: number; names: string[] }>;

function addName(named: Named, text: string, name: string): void {
  const entry = named.get(text) ?? { count: 0, names: [] };
  entry.count += 1;
  if (entry.names.length < MAX_NAMES) entry.names.push(name.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 80));
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
