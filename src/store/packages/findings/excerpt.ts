import { printable } from '../../../packaging/index.js';

const LENGTH = 160;
const BEFORE = 40;

/**
 * Returns the surroundings of a match on one line.
 *
 * @param secret whether to mask the match except its first characters
 */
export function excerptOf(text: string, index: number, length: number, secret = false): string {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  const nextLine = text.indexOf('\n', index + length);
  const start = Math.max(lineStart, index - BEFORE);
  const end = Math.min(nextLine < 0 ? text.length : nextLine, index + Math.max(length, LENGTH - BEFORE));
  const before = text.slice(start, index);
  const match = text.slice(index, index + length);
  const after = secret ? '' : text.slice(index + length, end);
  return printable(`${start > lineStart ? '…' : ''}${before}${secret ? mask(match) : match}${after}`.trim(), LENGTH);
}

function mask(match: string): string {
  return `${match.slice(0, Math.min(12, Math.ceil(match.length / 3)))}…`;
}
