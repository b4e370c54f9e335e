import { Parser, TokenKind, type Template, type TopLevelToken } from 'liquidjs';

/** Maximum nesting of tags in one template. */
const MAX_TAGS = 32;
/** Maximum brackets, filters and operators of one tag or output. */
const MAX_PARTS = 100;

const QUOTED = /'[^']*'|"[^"]*"/g;
const PARTS = /[[(|=<>]|\b(?:and|or|not|contains)\b/g;

let isInstalled = false;

/**
 * Rejects templates whose nesting would exhaust the stack when parsed or rendered. A stack overflow cannot be caught
 * in every case: if V8 has to compile a regular expression on the remaining stack, it ends the process.
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
  // Each line of this tag is a tag of its own.
  if ('name' in token && token.name === 'liquid') return;
  const text = token.getText();
  if (text.length <= MAX_PARTS) return;
  const parts = text.replace(QUOTED, '').match(PARTS);
  if (parts && parts.length > MAX_PARTS) throw new Error(`One tag has more than ${MAX_PARTS} brackets, filters and operators.`);
}
