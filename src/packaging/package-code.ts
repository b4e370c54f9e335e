import { setImmediate as turn } from 'node:timers/promises';

import { CodeError, compileCommonJs, LOCALES } from '../common/index.js';
import { isTemplatePath, templateDefect, themeFileProblem } from '../theme/index.js';

import type { PackageContents, PackageEntry } from './package-contents.js';
import type { PackageType, Report } from './manifest-problems.js';
import { hasInlineScript } from './package-scripts.js';
import { printable } from './printable.js';

/** Larger code is not compiled: compiling blocks for about 20 ms per megabyte. */
const MAX_CODE_BYTES = 2 * 1024 * 1024;
/** Maximum bytes parsed of one template (a theme's limit) and of all templates of a package (about a second). */
const MAX_TEMPLATE_BYTES = 200_000;
const MAX_TEMPLATES_BYTES = 5_000_000;
/** Maximum files reported per rule. */
const MAX_REPORTED = 20;

/** Checks that a panel can run a plugin's entry file: compiles it with the panel's compiler but never runs it. */
export async function checkEntry(entry: PackageEntry, contents: PackageContents, problem: Report): Promise<void> {
  const params = { entry: printable(entry.path, 100) };
  if (/\.mjs$/i.test(entry.path)) return problem('entry_es_module', true, { ...params, line: 1 }, entry.path);
  if (entry.size > MAX_CODE_BYTES) return;
  const source = (await contents.readEntry(entry)).toString();
  try {
    compileCommonJs(source, entry.path);
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    const { kind, line, reason } = error.problem;
    return problem(`entry_${kind}`, true, { ...params, line, reason: printable(reason, 150) }, entry.path);
  }
  const call = /(?<![.\w$])import\s{0,3}\(/.exec(source);
  if (call) problem('entry_import', false, { ...params, line: source.slice(0, call.index).split('\n').length }, entry.path);
}

/** Checks the language files: a panel does not start a plugin with unreadable texts. */
export async function checkTexts(contents: PackageContents, problem: Report): Promise<void> {
  for (const locale of LOCALES) {
    const entry = contents.entry(`lang/${locale}.json`);
    if (!entry) continue;
    try {
      const texts: unknown = JSON.parse((await contents.readEntry(entry)).toString().replace(/^\uFEFF/, ''));
      if (typeof texts !== 'object' || texts === null || Object.values(texts).some((text) => typeof text !== 'string'))
        throw new Error('not a flat object of strings');
    } catch (error) {
      problem('texts', true, { reason: printable((error as Error).message, 150) }, entry.path);
    }
  }
}

/** Reports templates that a panel cannot parse, and theme files that a panel ignores. */
export async function checkTemplates(contents: PackageContents, type: PackageType, problem: Report): Promise<void> {
  let parsed = 0;
  let named = 0;
  const report: Report = (...about) => {
    named += 1;
    problem(...about);
  };
  for (const entry of contents) {
    if (named >= MAX_REPORTED) return;
    const left = type === 'theme' ? themeFileProblem(entry.path, entry.size) : null;
    if (left !== null) report(left, false, {}, entry.path);
    const isTemplate =
      type === 'theme' ? isTemplatePath(entry.path) : entry.path.endsWith('.liquid') && !entry.path.startsWith('node_modules/');
    if (left !== null || !isTemplate || entry.size > MAX_TEMPLATE_BYTES || parsed + entry.size > MAX_TEMPLATES_BYTES) continue;
    parsed += entry.size;
    const source = (await contents.readEntry(entry)).toString();
    const defect = templateDefect(source);
    if (defect !== null) report('template', false, { reason: printable(defect, 200) }, entry.path);
    if (type === 'theme' && hasInlineScript(source)) report('script_inline', true, {}, entry.path);
    await turn();
  }
}
