import { AUTHOR_SIGNATURE_FILE, type AuthorSignature } from '../../../packaging/index.js';

import type { PackageFinding } from './finding.js';

/**
 * What a reviewer has to know of who signed a version: that it was not the author of the one before, as far as keys can tell.
 *
 * @param known id of the key the newest published version was signed with; empty: nobody signed it
 * @returns null where there is nothing to say
 */
export function authorKeyFinding(author: AuthorSignature | null, known: string): PackageFinding | null {
  if (known === '' || author?.keys.some(({ keyId }) => keyId === known)) return null;
  const rule = author ? 'author_key.changed' : 'author_key.gone';
  const params = { known, key: author?.keyId ?? '' };
  const file = author ? AUTHOR_SIGNATURE_FILE : '';
  return { rule, severity: 'danger', file, line: 0, excerpt: '', text: { key: `packages.finding.${rule}`, params } };
}
