// @ts-check
/** @import { Finding } from '../api-types' */
import { icon, make } from './dom.js';
import { t } from './i18n.js';

/** Gravest first. */
const ORDER = /** @type {const} */ (['danger', 'warning', 'info']);
const LOOKS = { danger: ['alert-octagon-outline', 'red'], warning: ['alert-outline', 'yellow'], info: ['information-outline', 'blue'] };

/**
 * What a machine noticed about a package, with file and line.
 *
 * @param {readonly Finding[]} findings
 * @param {(file: string, line: number) => void} [open] shows a place of the package
 */
export function findingsList(findings, open) {
  if (findings.length === 0) return make('p', { class: 'text-secondary mb-0' }, t('findings.none'));
  const sorted = ORDER.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  return make('ul', { class: 'findings list-unstyled mb-0' }, ...sorted.map((finding) => entry(finding, open)));
}

/** @param {Finding} finding @param {((file: string, line: number) => void) | undefined} open */
function entry({ rule, severity, file, line, excerpt, text }, open) {
  const [name, colour] = LOOKS[severity];
  const place = line ? `${file}:${line}` : file;
  return make(
    'li',
    { class: 'finding' },
    make('span', { class: `badge bg-${colour}-lt` }, icon(/** @type {string} */ (name)), t(`severity.${severity}`)),
    make(
      'div',
      {},
      make('div', {}, text, ' ', make('code', { class: 'rule' }, rule)),
      file && (open ? make('button', { type: 'button', class: 'btn-link-plain', onclick: () => open(file, line ?? 1) }, place) : make('span', { class: 'place' }, place)),
      excerpt && make('pre', { class: 'excerpt' }, excerpt),
    ),
  );
}
