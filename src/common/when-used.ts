import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Loads a CommonJS package on first use, for code that cannot wait for an `import()`, so that startup does not pay for unused packages.
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
