import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { StoreFinding } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { BlockedFiles } from '../items/index.js';

import type { Publication } from './blocked-file-gate.js';

/** Maximum findings listed in an error. */
const MAX_NAMED = 5;

/**
 * Prevents publishing a version with serious findings unnoticed. A decision that does not acknowledge them is rejected once with their
 * names; repeating it confirms it. This also works for deployed front ends that do not show findings.
 */
@Injectable()
export class GraveFindingGate {
  constructor(
    private readonly database: Database,
    private readonly notices: BlockedFiles,
  ) {}

  /**
   * @param seen rules of the findings shown
   * @returns rules of the serious findings that are published knowingly
   * @throws StoreError INVALID with those the reviewer has not seen
   */
  async require({ version, userId, seen }: Omit<Publication, 'item'>): Promise<string[]> {
    // Findings are created at the upload and never change.
    const findings = await this.database
      .repository(StoreFinding)
      .find({ where: { versionId: version.id, severity: 'danger' }, order: { id: 'ASC' } });
    if (findings.length === 0) return [];
    const acknowledged = await this.notices.acknowledged(version.id, userId);
    const unknown = findings.filter(({ rule }) => !seen.includes(rule) && !acknowledged.has(noticeOf(rule)));
    if (unknown.length > 0) {
      await this.notices.recordWarning(
        version.id,
        userId,
        [...new Set(unknown.map(({ rule }) => rule))].map((rule) => ({ path: '', sha256: noticeOf(rule) })),
      );
      const names = unknown.map(({ rule, file, line }) => (file === '' ? rule : `${rule} (${file}${line ? `:${line}` : ''})`));
      throw new StoreError('GRAVE_FINDINGS', {
        version: version.version,
        n: unknown.length,
        findings: [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ['…'] : [])].join(', '),
      });
    }
    return [...new Set(findings.map(({ rule }) => rule))];
  }
}

/** Stores a rule among the acknowledged digests; it cannot collide with a real file's digest. */
function noticeOf(rule: string): string {
  return createHash('sha256').update(`finding:${rule}`).digest('hex');
}
