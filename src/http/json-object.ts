import { BodyError } from './body-error.js';

/** How {@link parseJsonObject} takes what is no text. */
export interface JsonOptions {
  /**
   * Bytes that are no UTF-8 refuse the body instead of being replaced, and half a pair in an escape is replaced: nothing
   * further on meets what is no text.
   */
  readonly wellFormed?: boolean;
}

/** The object that a JSON body is; a mark of the byte order before it is left out. @throws BodyError BODY_MALFORMED for anything else */
export function parseJsonObject(body: Buffer, { wellFormed = false }: JsonOptions = {}): object {
  const parsed = orMalformed((): unknown => {
    const text = new TextDecoder('utf-8', { fatal: wellFormed }).decode(body);
    return JSON.parse(text, wellFormed && /\\ud[89a-f]/i.test(text) ? repaired : undefined);
  });
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new BodyError('BODY_MALFORMED');
  return parsed;
}

/** Runs the parser of a body and returns its result. @throws BodyError BODY_MALFORMED, with whatever `work` threw as its cause */
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
