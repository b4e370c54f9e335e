// @ts-check
/** @import { PackageFiles } from '../api-types' */
import { get, getText } from './api.js';
import { make } from './dom.js';
import { loadFailure } from './feedback.js';
import { actionButton } from './form.js';
import { formatNumber, formatSize } from './format.js';
import { t } from './i18n.js';

/** Lines that are numbered one by one; what comes after them stands in one piece. */
const NUMBERED_LINES = 5000;

/**
 * The files of a package, and one of them as text.
 *
 * @param {number} itemId
 * @param {string} version
 */
export function packageFiles(itemId, version) {
  const list = make('div');
  const text = make('div', { class: 'mt-3' });
  const element = make('div', {}, list, text);

  async function load() {
    try {
      /** @type {PackageFiles} */
      const { files, total_size: size, root } = await get(`/admin/items/${itemId}/files?${new URLSearchParams({ version })}`);
      const entries = files.map((file) =>
        make(
          'li',
          { class: 'file-row' },
          make('button', { type: 'button', class: 'btn-link-plain', onclick: () => void open(file.path, 0) }, file.path),
          make('span', { class: 'text-secondary small text-nowrap' }, formatSize(file.size)),
          make('code', { class: 'digest', title: 'SHA-256' }, file.sha256.slice(0, 12), '…'),
          make('a', { class: 'small', href: `/store/review/blocked?sha256=${file.sha256}`, 'aria-label': t('files.block_one', { file: file.path }) }, t('files.block')),
        ),
      );
      list.replaceChildren(make('p', { class: 'text-secondary' }, t('files.summary', { n: files.length, files: formatNumber(files.length), size: formatSize(size), root })), make('ul', { class: 'list-unstyled file-list mb-0' }, ...entries));
    } catch (error) {
      list.replaceChildren(loadFailure(error, () => void load()));
    }
  }

  /** @param {string} path @param {number} line from 1; 0: the file's beginning */
  async function open(path, line) {
    try {
      const content = await getText(`/admin/items/${itemId}/files/content?${new URLSearchParams({ version, path })}`);
      const code = numbered(content, line);
      text.replaceChildren(make('h3', { class: 'h4 text-break', tabindex: '-1' }, line ? `${path}:${line}` : path), code);
      text.scrollIntoView({ block: 'start' });
      code.querySelector('.is-meant')?.scrollIntoView({ block: 'center' });
    } catch (error) {
      text.replaceChildren(loadFailure(error, () => void open(path, line)));
      text.scrollIntoView({ block: 'nearest' });
    }
  }

  void load();
  return { element, open };
}

/** @param {string} content @param {number} meant */
function numbered(content, meant) {
  const lines = content.split('\n');
  const rows = lines.slice(0, NUMBERED_LINES).map((line, i) => make('span', { class: `code-line${i + 1 === meant ? ' is-meant' : ''}` }, `${line}\n`));
  const rest = lines.slice(NUMBERED_LINES).join('\n');
  return make('pre', { class: 'code', tabindex: '0' }, make('code', {}, ...rows, rest));
}

/**
 * What changed between two versions, loaded when it is asked for.
 *
 * @param {number} itemId
 * @param {string} from
 * @param {string} to
 */
export function packageDiff(itemId, from, to) {
  const place = make('div');
  const button = actionButton(t('files.show_diff', { from, to }), async () => {
    const text = await getText(`/admin/items/${itemId}/diff?${new URLSearchParams({ from, to })}`);
    const lines = text.split('\n').map((line) => make('span', { class: `diff-line ${kindOf(line)}` }, `${line}\n`));
    place.replaceChildren(text === '' ? make('p', { class: 'text-secondary' }, t('files.no_diff')) : make('pre', { class: 'code', tabindex: '0' }, make('code', {}, ...lines)));
  });
  place.append(button);
  return place;
}

/** @param {string} line */
function kindOf(line) {
  if (/^(?:---|\+\+\+) /.test(line)) return 'diff-file';
  if (line.startsWith('@@')) return 'diff-place';
  return line.startsWith('+') ? 'diff-new' : line.startsWith('-') ? 'diff-old' : '';
}
