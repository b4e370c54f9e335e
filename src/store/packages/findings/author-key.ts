import { AUTHOR_SIGNATURE_FILE, type AuthorSignature } from '../../../packaging/index.js';

import type { PackageFinding } from './finding.js';

/**
 * Returns a finding if the version is not signed with the author's known key.
 *
 * @param known id of the key that signed the newest published version; empty: unsigned
 * @returns null if nothing is suspicious
 */
export function authorKeyFinding(author: AuthorSignature | null, known: string): PackageFinding | null {
  if (known === '' || author?.keys.some(({ keyId }) => keyId === known)) return null;
  const rule = author ? 'author_key.changed' : 'author_key.gone';
  const params = { known, key: author?.keyId ?? '' };
  const file = author ? AUTHOR_SIGNATURE_FILE : '';
  return { rule, severity: 'danger', file, line: 0, excerpt: '', text: { key: `packages.finding.${rule}`, params } };
}
