import { setImmediate as turn } from 'node:timers/promises';
import { StringDecoder } from 'node:string_decoder';

import type { PackageContents, PackageEntry } from '../../../packaging/index.js';
import type { PackageForm, PackageManifest } from '../../../packaging/index.js';
import { printable } from '../../../packaging/index.js';

import type { PackageFinding } from './finding.js';
import { FindingCollector } from './finding-collector.js';
import { isMedia, KIND_BYTES, kindOfContent, NAME_RULES } from './file-kinds.js';
import { OpaqueContent } from './opaque-content.js';
import { comparePermissions, isPluginCode, type UsePlaces } from './permission-uses.js';
import { RESERVED_SLUGS, similarNames } from './similar-names.js';
import { TextScan, type HostPlaces } from './text-scan.js';

const MAX_HOSTS = 30;
/**
 * Start of a file that no engine parses as a script: most images, fonts and archives. A GIF, or a text with a later NUL, can be a script
 * whatever its name, and is scanned.
 */
const NOT_SCRIPT = /^[\0-\x08\x0e-\x1f\x7f\ufffd]|^.{1,3}[\0-\x08\x0e-\x1f]/s;

/** Optional context of the check. */
export interface FindingContext {
  /** Slugs of other items, to detect look-alikes. */
  readonly existingSlugs?: Iterable<string>;
  /** Names of other items. */
  readonly existingNames?: Iterable<string>;
  /** Total time limit; default 10,000. Unscanned files are reported as a finding. */
  readonly timeoutMs?: number;
  /** Monotonic clock, for tests. */
  readonly now?: () => number;
}

/**
 * Scans a package for what author and reviewer should know: secrets, code that runs text or programs, hidden characters, binaries,
 * archives, unreadable files, hosts, look-alike names and manifest problems. Returns at most 200 findings, the most serious first. Reads
 * the files in small steps and yields between them. The findings are advisory.
 */
export async function findProblems(
  contents: PackageContents,
  form: PackageForm,
  manifest: PackageManifest,
  context: FindingContext = {},
): Promise<PackageFinding[]> {
  const findings = new FindingCollector();
  addManifest(manifest, findings);
  addNames(form, context, findings);
  if (contents.ignored.length > 0)
    findings.add('macos_files', 'info', { file: contents.ignored[0]!.path, params: { n: contents.ignored.length } });
  for (const entry of contents) addFile(entry, findings);

  const now = context.now ?? (() => performance.now());
  const deadline = now() + (context.timeoutMs ?? 10_000);
  const hosts: HostPlaces = new Map();
  const uses: UsePlaces = new Map();
  for (const [i, entry] of contents.entries.entries()) {
    const scan = new TextScan(entry.path, findings, hosts, form.type === 'plugin' && isPluginCode(entry.path) ? uses : null);
    if (!(await scanFile(contents, entry, findings, scan, () => now() > deadline))) {
      findings.add('not_finished', 'warning', { file: entry.path, params: { n: contents.entries.length - i } });
      break;
    }
  }
  if (form.type === 'plugin' && manifest.parsed) comparePermissions(manifest.parsed, uses, findings);
  for (const [host, place] of [...hosts].slice(0, MAX_HOSTS)) findings.add('host', 'info', { ...place, params: { host } });
  if (hosts.size > MAX_HOSTS) findings.add('more_hosts', 'info', { params: { n: hosts.size - MAX_HOSTS } });
  return findings.result();
}

function addManifest({ file, problems }: PackageManifest, findings: FindingCollector): void {
  for (const { code, fatal, params, file: about = file } of problems)
    findings.add(`manifest.${code}`, fatal ? 'danger' : 'warning', {
      file: about,
      line: typeof params.line === 'number' ? params.line : 0,
      params,
    });
}

function addNames(form: PackageForm, context: FindingContext, findings: FindingCollector): void {
  if (RESERVED_SLUGS.has(form.slug.toLowerCase())) findings.add('reserved_slug', 'warning', { params: { slug: form.slug } });
  const compare = (given: string, existing: Iterable<string> = []): void => {
    for (const { name, lookalike } of similarNames(given, existing)) {
      findings.add(lookalike ? 'lookalike' : 'similar', lookalike ? 'danger' : 'warning', {
        params: { given: printable(given, 60), name: printable(name, 60) },
      });
    }
  };
  compare(form.slug, context.existingSlugs);
  if (form.name !== undefined) compare(form.name, context.existingNames);
}

function addFile(entry: PackageEntry, findings: FindingCollector): void {
  for (const { rule, severity, pattern } of NAME_RULES) {
    if (pattern.test(entry.path)) findings.add(rule, severity, { file: entry.path });
  }
}

/** @returns false if the time ran out */
async function scanFile(
  contents: PackageContents,
  entry: PackageEntry,
  findings: FindingCollector,
  scan: TextScan,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const decoder = new StringDecoder('utf8');
  const content = new OpaqueContent();
  let start: FileStart | null = null;
  for await (const chunk of contents.openEntry(entry) as AsyncIterable<Buffer>) {
    if (isTimeUp()) return false;
    start ??= classifyStart(entry, chunk, findings);
    if (!start.isKnown) content.add(chunk);
    if (start.maybeScript) await scan.add(decoder.write(chunk));
    else if (start.isKnown || content.isDecided) break;
  }
  if (start?.maybeScript !== false) {
    await scan.add(decoder.end());
    scan.end();
  }
  if (start && !start.isKnown && (await content.isOpaque(contents, entry))) findings.add('opaque', 'warning', { file: entry.path });
  await turn();
  return true;
}

/** Classification by the start of a file. */
interface FileStart {
  /** Whether the type has its own finding or is media. */
  readonly isKnown: boolean;
  /** Whether an engine might parse it as a script. */
  readonly maybeScript: boolean;
}

function classifyStart({ path }: PackageEntry, chunk: Buffer, findings: FindingCollector): FileStart {
  const start = chunk.subarray(0, KIND_BYTES);
  const kind = kindOfContent(start);
  if (kind) findings.add(kind.rule, kind.severity, { file: path, params: { kind: kind.kind } });
  return { isKnown: kind !== null || isMedia(path, start), maybeScript: !NOT_SCRIPT.test(chunk.subarray(0, 4).toString()) };
}
