import { CONTROL_CHARACTERS, clip, isLowSurrogate } from '../text.js';
import { KEYWORD_LIMITS, type KeywordMatcher } from './keyword-matcher.js';

/** Units of a report's excerpt. */
const EXCERPT_LENGTH = 200;

/** Units kept on both sides of what is searched, so that an excerpt finds its context across chunks. */
const CONTEXT = EXCERPT_LENGTH;

/** A word, and where it stands. */
export type LineMatch = { line: number; keyword: string; excerpt: string };

/** Searches a text that arrives in parts; holds only the part at hand. */
export class LineSearch {
  /** Whether enough was found. */
  stopped = false;
  private window = '';
  private searched = 0;
  private counted = 0;
  /** Place of the next line break from {@link counted} on, -1 when the window has none, -2 when not looked for yet. */
  private lineBreak = -2;
  private line = 1;
  private state = 0;
  /** Words already found in the line at hand: each counts once a line. */
  private inLine: Set<number> = new Set();

  /** @param found false ends the search */
  constructor(
    private readonly matcher: KeywordMatcher,
    private readonly found: (match: LineMatch) => boolean,
  ) {}

  /** The next part. */
  push(part: string, last: boolean) {
    if (this.stopped) return;
    this.window += part;
    if (this.lineBreak === -1) this.lineBreak = -2;
    const text = this.window;
    const end = last ? text.length : Math.max(this.searched, text.length - CONTEXT);
    this.state = this.matcher.search(text, this.searched, end, this.state, (keyword, place) => {
      this.countLines(place);
      if (this.inLine.has(keyword)) return true;
      this.inLine.add(keyword);
      const word = this.matcher.keywords[keyword];
      if (!this.found({ line: this.line, keyword: word, excerpt: excerptAt(text, place - word.length, place) })) this.stopped = true;
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

  /** Line of a place, counted on from the last one asked for. A line without end is looked through once, not for every word in it. */
  private countLines(place: number) {
    for (;;) {
      if (this.lineBreak === -2) this.lineBreak = this.window.indexOf('\n', this.counted);
      if (this.lineBreak === -1 || this.lineBreak >= place) break;
      this.line++;
      this.counted = this.lineBreak + 1;
      this.lineBreak = -2;
      this.inLine.clear();
    }
    this.counted = Math.max(this.counted, place);
  }
}

/** The word with what stands around it in its line, at most 200 units, never half a code point, control characters as spaces. */
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
