import { Parser, TokenKind, type Template, type TopLevelToken } from 'liquidjs';

/** Tags one inside the other, in one template. */
const MAX_TAGS = 32;
/** Brackets, filters and operators of one tag or output. */
const MAX_PARTS = 100;

const QUOTED = /'[^']*'|"[^"]*"/g;
const PARTS = /[[(|=<>]|\b(?:and|or|not|contains)\b/g;

let isInstalled = false;

/**
 * Refuses templates whose tags or values are nested so deep that parsing or rendering them would use up the stack. That is no error one can
 * catch in every case: where V8 has to compile a regular expression on what is left of the stack, it ends the process.
 */
export function limitNesting(): void {
  if (isInstalled) return;
  isInstalled = true;
  const prototype = Parser.prototype as unknown as { parseToken(token: TopLevelToken, rest: TopLevelToken[]): Template };
  const { parseToken } = prototype;
  let depth = 0;
  prototype.parseToken = function (token, rest) {
    if (token.kind === TokenKind.HTML) return parseToken.call(this, token, rest);
    if (depth >= MAX_TAGS) throw new Error(`Tags are nested more than ${MAX_TAGS} deep.`);
    requireFewParts(token);
    depth += 1;
    try {
      return parseToken.call(this, token, rest);
    } finally {
      depth -= 1;
    }
  };
}

function requireFewParts(token: TopLevelToken): void {
  // The lines of this one are tags of their own.
  if ('name' in token && token.name === 'liquid') return;
  const text = token.getText();
  if (text.length <= MAX_PARTS) return;
  const parts = text.replace(QUOTED, '').match(PARTS);
  if (parts && parts.length > MAX_PARTS) throw new Error(`One tag has more than ${MAX_PARTS} brackets, filters and operators.`);
}
