import {
  DEFAULT_WEB_SETTINGS,
  readRewrites,
  RewriteProblem,
  type SiteRedirect,
  type WebSettingsState,
  STAYS_INSIDE,
} from '../../driver/index.js';
import { serverProblem } from '../client/index.js';

/** Markers around the sections written by our panel: settings and rewrite rules. Existing files contain them, so they must never change. */
const SETTINGS = ['# svc-panel: begin. What is between these lines is written by the panel.', '# svc-panel: end'] as const;
const REWRITES = [
  '# svc-panel: rewrites begin. What is between these lines is written by the panel.',
  '# svc-panel: rewrites end',
] as const;

/**
 * Writes the settings of a site in nginx syntax into the file that its configuration includes. Other content of the file is preserved.
 *
 * @param present the present content of the file
 * @throws PanelProblem SERVER_SETTING for settings that cannot be expressed there
 */
export function withRules(present: string, settings: WebSettingsState): string {
  return withSection(present, SETTINGS, rulesOf(settings));
}

/**
 * Writes the owner's rewrite rules into the same file. `location ^~` is rejected: it would take precedence over the rule for PHP, which is
 * outside the file, and send programs as text.
 *
 * @throws RewriteProblem RULE
 */
export function withRewrites(present: string, rules: string): string {
  const { lines } = readRewrites(rules, () => []);
  if (lines.some((line) => line.startsWith('location ^~ ')))
    throw new RewriteProblem('RULE', { problem: '"location ^~" is not allowed on this server' });
  return withSection(present, REWRITES, lines.length === 0 ? [] : [...lines, STAYS_INSIDE]);
}

/** Replaces the lines between two markers, in place. */
function withSection(present: string, [begin, end]: readonly [string, string], lines: readonly string[]): string {
  const [from, to] = [present.indexOf(begin), present.indexOf(end)];
  const isThere = from >= 0 && to > from;
  if (!isThere && lines.length === 0) return present;
  const section = lines.length === 0 ? '' : [begin, ...lines, end].join('\n');
  const parts = isThere ? [present.slice(0, from), section, present.slice(to + end.length)] : [present, section];
  const kept = parts.map((part) => part.trim()).filter((part) => part !== '');
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

function rulesOf(settings: WebSettingsState): string[] {
  if (settings.passwords.length > 0) throw serverProblem('SERVER_SETTING', { what: settings.passwords.map(({ name }) => name).join(', ') });
  return [...settings.redirects.map(redirect), ...suffixes(settings), ...compression(settings), ...errorPages(settings)];
}

function redirect({ from, to, status }: SiteRedirect): string {
  if (!from.endsWith('/*')) return `location = ${quoted(from)} { return ${status} ${quoted(to)}; }`;
  const folder = from.slice(0, -1);
  const rest = escaped(`^${folder.replace(/[.*+?^{}()|[\]\\]/g, '\\$&')}`);
  const target = escaped(`${to.replace(/\/$/, '')}/`);
  return `location ^~ ${quoted(folder)} { rewrite "${rest}(.*)$" "${target}$1" ${status === 301 ? 'permanent' : 'redirect'}; }`;
}

/** Builds one location per file extension, because nginx uses only the first that matches. */
function suffixes({ cache, hotlink }: WebSettingsState): string[] {
  const times = new Map(cache.flatMap(({ suffix, time }) => suffix.split(',').map((one) => [one, time] as const)));
  const guarded = new Set(hotlink.enabled ? hotlink.suffixes : []);
  return [...new Set([...times.keys(), ...guarded])].sort().map((suffix) => {
    const time = times.get(suffix);
    const rules = [...(time ? [`expires ${bare(time)};`] : []), ...(guarded.has(suffix) ? [guard(hotlink)] : [])];
    return `location ~* ${quoted(`\\.${bare(suffix)}$`, true)} { ${rules.join(' ')} }`;
  });
}

function guard({ domains, allowEmpty, status }: WebSettingsState['hotlink']): string {
  const referers = [...(allowEmpty ? ['none', 'blocked'] : []), 'server_names', ...domains.map(bare)];
  return `valid_referers ${referers.join(' ')}; if ($invalid_referer) { return ${status}; }`;
}

function compression({ compression: wanted }: WebSettingsState): string[] {
  if (JSON.stringify(wanted) === JSON.stringify(DEFAULT_WEB_SETTINGS.compression)) return [];
  if (!wanted.enabled) return ['gzip off;'];
  // nginx always compresses text/html.
  const types = wanted.types.filter((type) => type !== 'text/html').map(bare);
  return [
    'gzip on;',
    `gzip_comp_level ${wanted.level};`,
    `gzip_min_length ${wanted.minBytes};`,
    ...(types.length > 0 ? [`gzip_types ${types.join(' ')};`] : []),
  ];
}

function errorPages({ errorPages: pages }: WebSettingsState): string[] {
  return Object.entries(pages).map(([status, path]) => `error_page ${status} ${quoted(path)};`);
}

/** A word that needs no quotes. @throws PanelProblem SERVER_SETTING */
function bare(word: string): string {
  if (!/^[\w.*+/-]{1,255}$/.test(word)) throw serverProblem('SERVER_SETTING', { what: word });
  return word;
}

function quoted(text: string, isPattern = false): string {
  return `"${isPattern ? text : escaped(text)}"`;
}

/** nginx cannot escape a dollar sign. @throws PanelProblem SERVER_SETTING */
function escaped(text: string): string {
  if (/[$\p{Cc}]/u.test(text)) throw serverProblem('SERVER_SETTING', { what: text });
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"');
}
