import { ProgramError } from './program-errors.js';

const MAX_WORDS = 32;
const MAX_CHARACTERS = 1_000;

/** Shell operators outside of quotes: a word that consists of them, or a redirection. */
const OPERATOR = /^(?:[|&;]+|\d*[<>].*)$/;
/** Shell substitutions. */
const SUBSTITUTION = /`|\$[A-Za-z_{(]/;
/** Characters that need no quotes when a line is formatted. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./?&~#{}[\]*!^-]+$/;

/** A word being parsed. */
interface Word {
  text: string;
  /** Its unquoted part. */
  bare: string;
  /** Its part that a shell would expand: unquoted or in double quotes. */
  open: string;
}

/**
 * Parses a command line into program and arguments: words separated by spaces, quoted if they contain spaces. It never runs in a shell, so
 * shell syntax is rejected instead of being passed to the program. Written by hand, because it accepts less than any library parser.
 *
 * @throws ProgramError COMMAND_LINE with the reason at the field `ml`
 */
export function readLine(line: string): string[] {
  if (/\p{Cc}|\p{Cs}/u.test(line)) throw wrong('siteprograms.line_control');
  const words = split(line);
  if (words.length === 0) throw wrong('siteprograms.line_empty');
  for (const { bare, open } of words) {
    const sign = OPERATOR.test(bare) || bare.endsWith(';') ? bare : SUBSTITUTION.exec(open)?.[0];
    if (sign !== undefined) throw wrong('siteprograms.line_shell', { sign: sign.slice(0, 20) });
  }
  if (words.length > MAX_WORDS || words.some(({ text }) => text.length > MAX_CHARACTERS))
    throw wrong('siteprograms.line_long', { words: MAX_WORDS, characters: MAX_CHARACTERS });
  if (words[0]!.text === '') throw wrong('siteprograms.line_empty');
  return words.map(({ text }) => text);
}

/** Formats words so that {@link readLine} parses them again. */
export function lineOf(argv: readonly string[]): string {
  const plain = (word: string): boolean => PLAIN.test(word) && !OPERATOR.test(word);
  return argv.map((word) => (plain(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

function split(line: string): Word[] {
  const words: Word[] = [];
  let word: Word | null = null;
  let quote = '';
  const add = (text: string, isEscaped: boolean): void => {
    word ??= { text: '', bare: '', open: '' };
    word.text += text;
    if (isEscaped) return;
    if (quote === '') word.bare += text;
    if (quote !== "'") word.open += text;
  };
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at]!;
    const next = line[at + 1];
    if (quote === '' && sign === ' ') {
      if (word) words.push(word);
      word = null;
    } else if (sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'")) {
      quote = sign;
      add('', true);
    } else if (sign === '\\' && quote !== "'" && next !== undefined && (quote === '' || next === '"' || next === '\\')) {
      add(next, true);
      at += 1;
    } else add(sign, false);
  }
  if (quote !== '') throw wrong('siteprograms.line_quote');
  if (word) words.push(word);
  return words;
}

function wrong(key: string, params: Record<string, string | number> = {}): ProgramError {
  return new ProgramError('COMMAND_LINE', {}, { ml: { key, params } });
}
