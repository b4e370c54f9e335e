import { CONTROL_CHARACTERS, clip, isLowSurrogate } from '../text.js';
import { KEYWORD_LIMITS, type KeywordMatcher } from './keyword-matcher.js';

/** Maximum length of an excerpt in UTF-16 units. */
const EXCERPT_LENGTH = 200;

/** UTF-16 units kept on both sides of the searched part, so that excerpts have context across chunks. */
const CONTEXT = EXCERPT_LENGTH;

/** A match with its line. */
export type LineMatch = { line: number; keyword: string; excerpt: string };

/** Searches a text that arrives in chunks; only the current chunk is held in memory. */
export class LineSearch {
  /** Whether the callback has stopped the search. */
  stopped = false;
  private window = '';
  private searched = 0;
  private counted = 0;
  /** Position of the next line break from {@link counted} on; -1 if the window has none, -2 if not searched yet. */
  private lineBreak = -2;
  private line = 1;
  private state = 0;
  /** Keywords found in the current line; each is reported once per line. */
  private inLine: Set<number> = new Set();

  /** @param found returning false stops the search */
  constructor(
    private readonly matcher: KeywordMatcher,
    private readonly found: (match: LineMatch) => boolean,
  ) {}

  /** Searches the next chunk. */
  push(part: string, last: boolean) {
    if (this.stopped) return;
    this.window += part;
    if (this.lineBreak === -1) this.lineBreak = -2;
    const text = this.window;
    const end = last ? text.length : Math.max(this.searched, text.length - CONTEXT);
    this.state = this.matcher.search(text, this.searched, end, this.state, (keyword, position) => {
      this.countLines(position);
      if (this.inLine.has(keyword)) return true;
      this.inLine.add(keyword);
      const word = this.matcher.keywords[keyword];
      if (!this.found({ line: this.line, keyword: word, excerpt: excerptAt(text, position - word.length, position) })) this.stopped = true;
      return !this.stopped;
    });
    this.searched = end;
    if (last || this.stopped) return;
    const keep = Math.max(0, end - CONTEXT - KEYWORD_LIMITS.length);
    this.countLines(keep);
    this.window = text.slice(keep);
    this.searched -= keep;
    this.counted -= keep;
    if (this.lineBreak >= 0) this.lineBreak -= keep;
  }

  /**
   * Advances the line count to a position, starting at the previous one, so that a very long line is scanned once and not for every match.
   */
  private countLines(position: number) {
    for (;;) {
      if (this.lineBreak === -2) this.lineBreak = this.window.indexOf('\n', this.counted);
      if (this.lineBreak === -1 || this.lineBreak >= position) break;
      this.line++;
      this.counted = this.lineBreak + 1;
      this.lineBreak = -2;
      this.inLine.clear();
    }
    this.counted = Math.max(this.counted, position);
  }
}

/**
 * Returns the match with its context in the line: at most 200 UTF-16 units, no split surrogate pairs, control characters replaced by
 * spaces.
 */
function excerptAt(text: string, start: number, end: number) {
  const before = text.slice(Math.max(0, start - EXCERPT_LENGTH), start);
  const after = text.slice(end, end + EXCERPT_LENGTH);
  const left = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1).trimStart();
  const lineEnd = after.search(/[\r\n]/);
  const right = (lineEnd === -1 ? after : after.slice(0, lineEnd)).trimEnd();
  const room = Math.max(0, EXCERPT_LENGTH - (end - start));
  const half = room >> 1;
  const leftLength = Math.min(left.length, Math.max(half, room - right.length));
  let shown = leftLength === 0 ? '' : left.slice(-leftLength);
  if (shown !== '' && isLowSurrogate(shown.charCodeAt(0))) shown = shown.slice(1);
  return clip((shown + text.slice(start, end) + right).replace(CONTROL_CHARACTERS, ' '), EXCERPT_LENGTH).trim();
}
