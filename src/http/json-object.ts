import { BodyError } from './body-error.js';

/** How {@link parseJsonObject} handles invalid text. */
export interface JsonOptions {
  /**
   * Rejects bytes that are not UTF-8 instead of replacing them, and replaces lone surrogates in escapes, so that later code never sees
   * malformed text.
   */
  readonly wellFormed?: boolean;
}

/** Parses the object in a JSON body; a byte order mark is skipped. @throws BodyError BODY_MALFORMED for anything else */
export function parseJsonObject(body: Buffer, { wellFormed = false }: JsonOptions = {}): object {
  const parsed = orMalformed((): unknown => {
    const text = new TextDecoder('utf-8', { fatal: wellFormed }).decode(body);
    return JSON.parse(text, wellFormed && /\\ud[89a-f]/i.test(text) ? repaired : undefined);
  });
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new BodyError('BODY_MALFORMED');
  return parsed;
}

/** Runs a parser and returns its result. @throws BodyError BODY_MALFORMED, with the parser's error as its cause */
export function orMalformed<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new BodyError('BODY_MALFORMED', { cause });
  }
}

function repaired(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
