import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const DATABASE = join(ROOT, 'test/support/database.ts');
const FOLDERS = ['src', 'test', 'agent'];

/**
 * The specs that open a database, by their imports: they reach test/support/database.ts, mostly through other support. The rest is the
 * same on every engine and need not run twice.
 */
export function databaseSpecs(): string[] {
  const known = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    known.set(file, file === DATABASE);
    const found = file === DATABASE || supportsOf(file).some(reaches);
    known.set(file, found);
    return found;
  };
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return files.filter((file) => file.endsWith('.spec.ts') && reaches(join(ROOT, file)));
}

/** Files of tests that a file imports; those of the product open no database by themselves. */
function supportsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g);
  return [...imports]
    .map(([, path]) => join(dirname(file), `${path}.ts`))
    .filter((path) => /[/\\](support|testing)[/\\]|\.spec\.ts$/.test(path) && existsSync(path));
}
