import { escapeHtml } from '../../sdk/index.js';
import { trustedHtml, type TrustedHtml } from '../../theme/index.js';

/** Lines numbered individually; the rest is one block. */
const NUMBERED_LINES = 5_000;

/**
 * Renders a file with line numbers. Built in code because it may have more lines than a view accepts values.
 *
 * @param highlighted line to highlight, from 1; 0 for none
 */
export function numberedLines(content: string, highlighted: number): TrustedHtml {
  const lines = content.split('\n');
  const rows = lines
    .slice(0, NUMBERED_LINES)
    .map((line, i) => `<span class="code-line${i + 1 === highlighted ? ' is-meant' : ''}">${escapeHtml(line)}\n</span>`);
  return trustedHtml(rows.join('') + escapeHtml(lines.slice(NUMBERED_LINES).join('\n')));
}

/** Renders a unified diff with coloured lines. */
export function colouredDiff(diff: string): TrustedHtml {
  const rows = diff.split('\n').map((line) => `<span class="diff-line ${kindOf(line)}">${escapeHtml(line)}\n</span>`);
  return trustedHtml(rows.join(''));
}

function kindOf(line: string): string {
  if (/^(?:---|\+\+\+) /.test(line)) return 'diff-file';
  if (line.startsWith('@@')) return 'diff-place';
  return line.startsWith('+') ? 'diff-new' : line.startsWith('-') ? 'diff-old' : '';
}
