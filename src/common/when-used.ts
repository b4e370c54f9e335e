import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A CommonJS package that is loaded when it is used first, for code that cannot wait for an `import()`: no start
 * pays for what it does not use.
 *
 * @example
 * ```ts
 * import type sanitizeHtml from 'sanitize-html';
 *
 * const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');
 * const clean = sanitizer()(html);
 * ```
 */
export function whenUsed<T>(name: string): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= require(name) as T);
}
