import { RewriteProblem } from './rewrites.js';

/** Validated rules. */
export interface WrittenRules {
  /** Lines for nginx. */
  readonly lines: readonly string[];
  /** Whether they contain a location for `/`. */
  readonly hasRoot: boolean;
}

/** Returns additional lines for a location, given its rules that are not locations. */
export type Within = (rules: readonly string[]) => readonly string[];

/** One directive of the owner's rules. */
interface Directive {
  readonly words: readonly string[];
  readonly block: readonly Directive[] | null;
}

const MAX_DIRECTIVES = 300;
/** Request variables that rules may use: nothing about the machine or other sites. */
const VARIABLES = new Set(
  (
    'uri document_uri request_uri args query_string is_args host http_host scheme request_method request_filename ' +
    'http_user_agent http_referer http_cookie remote_addr 1 2 3 4 5 6 7 8 9'
  ).split(' '),
);
/** Variables that cannot bring `..` into a path, because nginx has resolved them. */
const IN_PATHS = new Set(['uri', 'document_uri', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
/** Variables that contain data exactly as the visitor sent it. */
const ENCODED = new Set(['request_uri', 'args', 'query_string', 'is_args', 'host', 'http_host', 'scheme']);
const STATUS = new Set(['301', '302', '303', '307', '308', '400', '403', '404', '410', '451']);
const FLAGS = new Set(['last', 'redirect', 'permanent']);

/**
 * Converts the owner's rules for nginx: parses the allowed directives, validates them and writes them anew. A rule may lead to a file of
 * the site or to a URL, never out of the web root: nginx can read the files of all sites, so paths are checked here, and again when a
 * request has passed the rules.
 *
 * @param within returns lines for each of their locations, so that none serves files that another one would run or refuse; called with the
 *   rules of that location
 * @throws RewriteProblem `RULE` with the invalid directive
 */
export function readRewrites(text: string, within: Within): WrittenRules {
  const words = tokens(text);
  const read = directives(words, 0, 0);
  let count = 0;
  const lines = read.list.flatMap(function write(directive: Directive): string[] {
    if (++count > MAX_DIRECTIVES) throw refused(`there are more than ${MAX_DIRECTIVES} directives`);
    return written(directive, write, within);
  });
  return { lines, hasRoot: read.list.some(({ words: [name, ...rest] }) => name === 'location' && rest.join(' ') === '/') };
}

/**
 * Refuses paths that leave the web root after rules were applied; placed at the end of the server's rules and at the beginning of each
 * location.
 */
export const STAYS_INSIDE = 'if ($uri ~ "(?:^|/)\\.\\.?(?:/|$)") { return 400; }';

function written({ words: [name = '', ...args], block }: Directive, write: (inner: Directive) => string[], within: Within): string[] {
  const line = (): string[] => [`${[name, ...args.map(safe)].join(' ')};`];
  switch (name) {
    case 'rewrite':
      requireThat(!block && (args.length === 2 || (args.length === 3 && FLAGS.has(args[2]!))), name);
      requireTarget(args[1]!, args.length === 3 && args[2] !== 'last');
      return [`rewrite ${safe(args[0]!)} ${safe(args[1]!)}${args[2] === undefined ? '' : ` ${args[2]}`};`];
    case 'return':
      requireThat(!block && STATUS.has(args[0] ?? '') && args.length <= 2, name);
      if (args[1] !== undefined) requireSent(args[1]);
      return [`return ${args[0]}${args[1] === undefined ? '' : ` ${safe(args[1])}`};`];
    case 'try_files':
      requireThat(!block && args.length >= 2, name);
      args.forEach((target, index) => {
        // No check follows `try_files`, so captures are not allowed, only the path as nginx has resolved it.
        if (index < args.length - 1 || !/^=(403|404|410)$/.test(target)) requirePath(target, new Set(['uri', 'document_uri']));
      });
      return line();
    case 'deny':
    case 'allow':
      requireThat(!block && args.length === 1 && args[0] === 'all', name);
      return line();
    case 'break':
      throw refused('"break" is not allowed, use "last"');
    case 'if':
      requireThat(block !== null, name);
      return [`if (${condition(args)}) {`, ...block!.flatMap(inIf(write)), '}'];
    case 'location': {
      requireThat(block !== null && (args.length === 1 || (args.length === 2 && /^(=|~|~\*|\^~)$/.test(args[0]!))), name);
      requireThat(args.length === 1 ? /^\//.test(args[0]!) : true, name);
      const rules = block!.filter((inner) => inner.words[0] !== 'location').flatMap(write);
      const locations = block!.filter((inner) => inner.words[0] === 'location').flatMap(write);
      const head = `location ${args.length === 2 ? `${args[0]} ${safe(args[1]!)}` : safe(args[0]!)} {`;
      return [head, STAYS_INSIDE, ...rules, ...locations, ...within(rules), '}'];
    }
    default:
      throw refused(`"${name.slice(0, 40)}" is not allowed here`);
  }
}

/** A condition may contain only directives that end the request or change its path. */
function inIf(write: (inner: Directive) => string[]): (inner: Directive) => string[] {
  return (inner) => {
    if (!['rewrite', 'return', 'deny'].includes(inner.words[0]!)) throw refused(`"${inner.words[0]}" is not allowed in "if"`);
    return write(inner);
  };
}

function condition(words: readonly string[]): string {
  const text = words.join(' ').replace(/^\(\s*|\s*\)$/g, '');
  const file = /^(!?-[fde]) \$request_filename$/.exec(text);
  if (file) return text;
  const [, variable, , operator, ...rest] = /^\$(\w+)( (!?~\*?|!?=) (.+))?$/.exec(text) ?? [];
  if (variable === undefined || !VARIABLES.has(variable)) throw refused('the condition of "if" is not supported');
  return operator === undefined ? `$${variable}` : `$${variable} ${operator} ${safe(rest[0]!)}`;
}

/** Checks the target of a rule. @param isSent whether it is sent to the browser, so that any URL is allowed */
function requireTarget(target: string, isSent: boolean): void {
  if (/^(?:https?:\/\/|\$scheme:\/\/)/.test(target) || (isSent && target.startsWith('/'))) return requireVariables(target, VARIABLES);
  requirePath(target);
}

/** Checks a target that is sent as it is: no variable that could contain a visitor's line break. */
function requireSent(target: string): void {
  if (!/^(?:https?:\/\/|\$scheme:\/\/|\/)/.test(target)) throw refused('an address must start with "http://", "https://" or "/"');
  requireVariables(target, ENCODED);
}

function requirePath(target: string, known: ReadonlySet<string> = IN_PATHS): void {
  const [path = '', query] = target.split('?', 2);
  if (!/^(?:\/|\$uri|\$document_uri)/.test(path)) throw refused('a path must start with "/"');
  requireVariables(path.replace(/\$is_args\$args$/, ''), known);
  if (path.replace(/\$\w+|\$\{\w+\}/g, '').includes('..')) throw refused('a path is outside the site');
  if (query !== undefined) requireVariables(query, VARIABLES);
}

function requireVariables(text: string, known: ReadonlySet<string>): void {
  for (const [, name] of text.matchAll(/\$\{?(\w*)\}?/g))
    if (!known.has(name!)) throw refused(`the variable "$${name!.slice(0, 40)}" is not allowed here`);
}

function requireThat(isValid: boolean, name: string): void {
  if (!isValid) throw refused(`"${name}" has invalid arguments`);
}

function safe(word: string): string {
  if (/\p{Cc}/u.test(word)) throw refused('an argument contains a line break');
  return `"${word.replace(/[\\"]/g, '\\$&')}"`;
}

function refused(problem: string): RewriteProblem {
  return new RewriteProblem('RULE', { problem });
}

type Token = string | { readonly sign: '{' | '}' | ';' };

/** Splits like nginx: words, quoted or not, and the signs `{`, `}` and `;`; comments end with their line. */
function tokens(text: string): Token[] {
  const found: Token[] = [];
  const form =
    /\s+|#[^\n]*|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([;{}])|((?:[^\s;{}"'\\#]|\\.|\{\d+(?:,\d*)?\}|\$\{\w+\})(?:[^\s;{}\\]|\\.|\{\d+(?:,\d*)?\}|\$\{\w+\})*)/gy;
  while (form.lastIndex < text.length) {
    const at = form.lastIndex;
    const match = form.exec(text);
    if (!match) throw refused(`syntax error at "${text.slice(at, at + 20)}"`);
    const [, double, single, sign, word] = match;
    if (sign !== undefined) found.push({ sign: sign as '{' });
    else if (double !== undefined || single !== undefined) found.push(unescaped((double ?? single)!));
    else if (word !== undefined) found.push(unescaped(word));
  }
  return found;
}

const unescaped = (word: string): string => word.replace(/\\([\\"'])/g, '$1');

function directives(words: readonly Token[], from: number, depth: number): { list: Directive[]; next: number } {
  if (depth > 3) throw refused('blocks are nested too deep');
  const list: Directive[] = [];
  let current: string[] = [];
  let at = from;
  for (; at < words.length; at++) {
    const token = words[at]!;
    if (typeof token === 'string') current.push(token);
    else if (token.sign === '}') {
      if (depth === 0 || current.length > 0) throw refused('unexpected "}"');
      return { list, next: at };
    } else {
      if (current.length === 0) throw refused(`unexpected "${token.sign}"`);
      const inner = token.sign === '{' ? directives(words, at + 1, depth + 1) : null;
      list.push({ words: current, block: inner?.list ?? null });
      current = [];
      if (inner) at = inner.next;
    }
  }
  if (depth > 0 || current.length > 0) throw refused('a ";" or "}" is missing');
  return { list, next: at };
}
