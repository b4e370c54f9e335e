import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { isThemeSide, type ThemeSide } from '../names.js';

/** Maximum number of scripts of a theme, and of bytes of each: they are inlined into pages. */
export const MAX_SCRIPTS = 5;
export const MAX_SCRIPT_BYTES = 40_000;
/** Maximum characters of a script's purpose. */
const MAX_PURPOSE = 300;

/** Folder of a theme's scripts; files elsewhere are never run. */
export const SCRIPTS_FOLDER = 'scripts';
const FILE = /^scripts\/[a-z0-9_-]{1,64}\.js$/;
const FIELDS = ['file', 'sides', 'purpose'];

/** Why a script of a theme is invalid; the texts of findings have the same names. */
export const SCRIPT_DEFECTS = {
  script_field: '"scripts" must be a list of {file, sides, purpose}',
  script_file: '"file" must be "scripts/NAME.js", with a unique name of a-z, 0-9, _ and -',
  script_many: `exceeds the maximum of ${MAX_SCRIPTS} scripts`,
  script_missing: 'does not exist',
  script_size: `is larger than ${MAX_SCRIPT_BYTES} bytes`,
  script_text: 'is not UTF-8 text, or contains invisible characters that change how it reads',
  script_end: 'contains "</script" or "<!--", which would end the script in a page: write "<\\/script" and "<\\!--"',
} as const;
export type ScriptDefect = keyof typeof SCRIPT_DEFECTS;

/** Declaration of a script in theme.json. */
export interface ScriptDeclaration {
  /** Path relative to the theme's folder, `scripts/NAME.js`. */
  readonly file: string;
  /** Sides it runs on; null: every side of the theme. */
  readonly sides: readonly ThemeSide[] | null;
  /** A key of the theme's texts, or text; may be empty. */
  readonly purpose: string;
}

/** A loaded script of a theme. The loaded text is sent, so that it matches the digest even if the file changes. */
export interface ThemeScript extends ScriptDeclaration {
  readonly sides: readonly ThemeSide[];
  readonly text: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits: the subject of an administrator's permission. */
  readonly sha256: string;
  /** SHA-256 of the text in the page, in base64: for the page's content security policy. */
  readonly digest: string;
}

/** Parses the script declarations in theme.json. @param report called for each rejected declaration, with its file */
export function scriptDeclarations(value: unknown, report: (defect: ScriptDefect, file: string) => void): ScriptDeclaration[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    report('script_field', 'theme.json');
    return [];
  }
  const found = new Map<string, ScriptDeclaration>();
  for (const entry of value as unknown[]) {
    const script = declarationOf(entry);
    if (typeof script === 'string') report(script, 'theme.json');
    else if (found.has(script.file)) report('script_file', script.file);
    else if (found.size >= MAX_SCRIPTS) {
      report('script_many', script.file);
      break;
    } else found.set(script.file, script);
  }
  return [...found.values()];
}

function declarationOf(entry: unknown): ScriptDeclaration | ScriptDefect {
  if (typeof entry !== 'object' || entry === null || Object.keys(entry).some((field) => !FIELDS.includes(field))) return 'script_field';
  const { file, sides = null, purpose = '' } = entry as Record<string, unknown>;
  if (typeof file !== 'string' || !FILE.test(file)) return 'script_file';
  if (sides !== null && !(Array.isArray(sides) && sides.length > 0 && sides.every(isThemeSide))) return 'script_field';
  if (typeof purpose !== 'string' || purpose.length > MAX_PURPOSE) return 'script_field';
  return { file, sides, purpose };
}

/** NUL and characters that reorder text: a reader would not see what a browser runs. */
const UNSEEN = /[\0\u202a-\u202e\u2066-\u2069]/;

/** Returns why the content of a script is invalid; null if it is valid. */
export function scriptDefect(bytes: Buffer): ScriptDefect | null {
  if (bytes.length > MAX_SCRIPT_BYTES) return 'script_size';
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'script_text';
  }
  if (UNSEEN.test(text)) return 'script_text';
  return /<\/script|<!--/i.test(text) ? 'script_end' : null;
}

/**
 * Loads the scripts declared in theme.json.
 *
 * @param files regular files in {@link SCRIPTS_FOLDER}
 * @param sides of the theme
 */
export function readThemeScripts(
  value: unknown,
  files: readonly { readonly name: string; readonly path: string; readonly size: number; readonly isFolder: boolean }[],
  sides: readonly ThemeSide[],
  report: (defect: ScriptDefect, file: string) => void,
): ThemeScript[] {
  return scriptDeclarations(value, report).flatMap((declared) => {
    const found = files.find(({ name, isFolder }) => !isFolder && `${SCRIPTS_FOLDER}/${name}` === declared.file);
    const read = found ? readScript(found) : 'script_missing';
    if (typeof read !== 'string') return [asRead({ ...declared, sides: declared.sides ?? sides }, read)];
    report(read, declared.file);
    return [];
  });
}

/** Returns the content of a script, or why it is invalid. */
function readScript({ path, size }: { readonly path: string; readonly size: number }): Buffer | ScriptDefect {
  if (size > MAX_SCRIPT_BYTES) return 'script_size';
  const bytes = readFileSync(path);
  return scriptDefect(bytes) ?? bytes;
}

function asRead(declared: ScriptDeclaration & { readonly sides: readonly ThemeSide[] }, bytes: Buffer): ThemeScript {
  // Normalized like in browsers: a single form of line break.
  const text = bytes.toString().replace(/\r\n?/g, '\n');
  return {
    ...declared,
    text,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    digest: createHash('sha256').update(text).digest('base64'),
  };
}
