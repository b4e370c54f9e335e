import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { StoreFinding } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { BlockedFiles } from '../items/index.js';

import type { Publication } from './blocked-file-gate.js';

/** Findings a refusal names. */
const NAMED = 5;

/**
 * Nobody publishes a version with grave findings by one click. Findings decide nothing, so a decision that does not say that it
 * has seen them is refused with their names, once: who decides the same again means it. Deployed front ends, which show no
 * findings, get on this way too.
 */
@Injectable()
export class GraveFindingGate {
  constructor(
    private readonly database: Database,
    private readonly notices: BlockedFiles,
  ) {}

  /**
   * @param seen rules of the findings that were shown
   * @returns rules of the grave findings that are published knowingly
   * @throws StoreError INVALID naming those the reviewer was not told of
   */
  async require({ version, userId, seen }: Omit<Publication, 'item'>): Promise<string[]> {
    // What a machine noticed is made at the upload and never changes.
    const findings = await this.database
      .repository(StoreFinding)
      .find({ where: { versionId: version.id, severity: 'danger' }, order: { id: 'ASC' } });
    if (findings.length === 0) return [];
    const told = await this.notices.told(version.id, userId);
    const unknown = findings.filter(({ rule }) => !seen.includes(rule) && !told.has(noticeOf(rule)));
    if (unknown.length > 0) {
      await this.notices.tell(
        version.id,
        userId,
        [...new Set(unknown.map(({ rule }) => rule))].map((rule) => ({ path: '', sha256: noticeOf(rule) })),
      );
      const names = unknown.map(({ rule, file, line }) => (file === '' ? rule : `${rule} (${file}${line ? `:${line}` : ''})`));
      throw new StoreError('GRAVE_FINDINGS', {
        version: version.version,
        n: unknown.length,
        findings: [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', '),
      });
    }
    return [...new Set(findings.map(({ rule }) => rule))];
  }
}

/** A rule among the digests an administrator was told of: no file's digest is that of such a text. */
function noticeOf(rule: string): string {
  return createHash('sha256').update(`finding:${rule}`).digest('hex');
}
