import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import { translate, type Locale } from '../../common/i18n.js';
import type { PackageFinding } from '../../store/packages/findings/finding.js';
import { findProblems } from '../../store/packages/findings/find-problems.js';
import { PackageContents, PackageRefusal, readPackage } from '../../packaging/index.js';
// The command's bundle does not run the indexes of these folders, so their texts are registered here.
import '../../packaging/texts.js';
import '../../store/packages/texts.js';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { buildProject } from './build.js';
import { signedFiles, zipName, zipOf } from './pack.js';
import { descriptionOf, NO_DESCRIPTION, type Project } from './project.js';
import type { AuthorCommand, Terminal } from './terminal.js';

/** `svc-plugin check`. */
export const check: AuthorCommand = {
  usage: '[ZIP]',
  summary: 'runs the checks of the store locally, on this folder or on a package',
  async run(args, terminal) {
    const { positionals } = readArguments(args, {}, 1);
    return positionals[0] === undefined ? checkProject(terminal) : checkZip(resolve(terminal.folder, positionals[0]), terminal);
  },
};

async function checkProject(terminal: Terminal): Promise<number> {
  const project = await buildProject(terminal);
  // Not reported for a package alone, where it is no error: only the first version sets the item's description.
  if (descriptionOf(project) === '') terminal.say(`${'info'.padEnd(8)} ${project.manifestFile}  ${NO_DESCRIPTION}`);
  return checkPackage(project, await zipOf(project, signedFiles(project, terminal).files), terminal);
}

/** Reports what the store will say about a package. @returns 1 if the store refuses it, or no panel would install or start it */
export async function checkPackage(project: Project, zip: Buffer, terminal: Terminal): Promise<number> {
  const tempDir = mkdtempSync(join(tmpdir(), 'svc-plugin-'));
  try {
    const path = join(tempDir, zipName(project));
    writeFileSync(path, zip);
    return await reportFindings(path, { ...project, title: `${project.slug} ${project.version}` }, terminal);
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
}

async function checkZip(path: string, terminal: Terminal): Promise<number> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new AuthorError(`The file ${path} does not exist.`);
  const title = basename(path);
  try {
    const contents = await PackageContents.open(path);
    const type = contents.entry('plugin.json') || !contents.entry('theme.json') ? 'plugin' : 'theme';
    return await reportFindings(path, { type, slug: contents.root, title }, terminal);
  } catch (error) {
    if (error instanceof PackageRefusal) return refused(error, title, terminal);
    throw error;
  }
}

interface Checked {
  readonly type: 'plugin' | 'theme';
  readonly slug: string;
  /** Display name of what is checked. */
  readonly title: string;
}

/** Time limit for scanning all files, in milliseconds. Generous, because no one else waits for the author's machine. */
const SCAN_TIMEOUT_MS = 120_000;

/** @returns 1 if the store refuses it, or no panel would install or start it */
async function reportFindings(path: string, { type, slug, title }: Checked, terminal: Terminal): Promise<number> {
  const form = { type, slug };
  let contents, manifest, author;
  try {
    ({ contents, manifest, author } = await readPackage(path, form));
  } catch (error) {
    if (error instanceof PackageRefusal) return refused(error, title, terminal);
    throw error;
  }
  const findings = await findProblems(contents, form, manifest, { timeoutMs: SCAN_TIMEOUT_MS });
  const locale = localeOf(terminal.env);
  const isError = ({ rule, severity }: PackageFinding): boolean => severity === 'danger' && rule.startsWith('manifest.');
  const errors = findings.filter(isError);
  for (const finding of findings) {
    const kind = isError(finding) ? 'error' : finding.severity === 'danger' ? 'danger' : finding.severity;
    (isError(finding) ? terminal.warn : terminal.say)(line(finding, kind, locale));
  }
  const dangers = findings.filter(({ severity }) => severity === 'danger').length - errors.length;
  if (errors.length > 0) {
    terminal.warn(
      `${title}: ${errors.length === 1 ? '1 error' : `${errors.length} errors`}. The store accepts it for review, but ` +
        'panels cannot run it.',
    );
    return 1;
  }
  const reviewNote =
    dangers > 0 ? ` A reviewer must check the findings marked "danger" before it is published: explain them in the changelog.` : '';
  const signer = author ? `Signed with the author key ${author.keyId}.` : 'Not signed by its author.';
  terminal.say(`${title}: the store accepts it, and panels can install it. ${signer}${reviewNote}`);
  return 0;
}

function refused(error: PackageRefusal, title: string, terminal: Terminal): number {
  terminal.warn(`error    ${translate(localeOf(terminal.env), error.shape.text, error.params)} [${error.code}]`);
  terminal.warn(`${title}: the store rejects it.`);
  return 1;
}

function line({ rule, file, line: at, excerpt, text }: PackageFinding, kind: string, locale: Locale): string {
  const location = file === '' ? '' : ` ${file}${at > 0 ? `:${at}` : ''}`;
  const quoted = excerpt === '' ? '' : `\n           ${excerpt}`;
  return `${kind.padEnd(8)}${location}  ${translate(locale, text.key, text.params)} [${rule}]${quoted}`;
}

/** Language of the store's messages, from the system's locale. */
function localeOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Locale {
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh-CN' : 'en';
}
