import { Injectable } from '@nestjs/common';

import { HostingService } from '../../hosting/index.js';
import type { TextParams } from '../../common/index.js';
import { AuditLog, ListReply, Operation, SuccessReply, auditLine, lineOfCall } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AgentError } from '../agent-error.js';
import { AllowList, MAX_ALLOWED, ScanDays } from '../scans/index.js';

import { AllowAnyInput, AllowInput, AllowRuleInput, ShortListInput, ScanTrendInput } from './node-inputs.js';

/** Administrators' operations on exceptions from scans and on match statistics. Source: docs/panel-api.md "Scans". */
@Injectable()
export class AllowListOperations {
  constructor(
    private readonly allowed: AllowList,
    private readonly hosting: HostingService,
    private readonly days: ScanDays,
    private readonly audit: AuditLog,
  ) {}

  @Operation({ side: 'admin', gn: 'listwjbmd', auth: 'admin', input: ShortListInput, audit: null, rate: 'read' })
  async list(input: ShortListInput): Promise<ListReply> {
    const { total, rows } = await this.allowed.page(input);
    return new ListReply(total, rows as Record<string, unknown>[]);
  }

  /** @throws AgentError ALLOW_EMPTY, ALLOW_HOST_UNKNOWN, ALLOW_FULL */
  @Operation({ side: 'admin', gn: 'wjbmdtj', auth: 'admin', input: AllowInput, audit: 'node.audit_allow', rate: 'write' })
  async add({ word, user, path, note }: AllowInput): Promise<SuccessReply> {
    // A pattern of only wildcards would allow everything everywhere.
    const isAny = word === '' && user === '' && path.replaceAll('*', '') === '';
    if (isAny) throw new AgentError('ALLOW_EMPTY', {}, { word: 'node.allow_empty' });
    const host = user === '' ? null : await this.hosting.get(user);
    if (user !== '' && !host)
      throw new AgentError('ALLOW_HOST_UNKNOWN', { user }, { user: { key: 'node.allow_host_unknown', params: { user } } });
    const removed = await this.allowed.add({ keyword: word, hostId: host?.id ?? null, path, note });
    if (removed === null) throw new AgentError('ALLOW_FULL', { n: MAX_ALLOWED });
    return new SuccessReply('node.allowed', { removed_matches: removed }, { n: removed });
  }

  /** @throws AgentError ALLOW_MISSING */
  @Operation({ side: 'admin', gn: 'wjbmdsc', auth: 'admin', input: AllowRuleInput, audit: 'node.audit_allow_removed', rate: 'write' })
  async remove({ id }: AllowRuleInput): Promise<SuccessReply> {
    if ((await this.allowed.remove([id])) === 0) throw new AgentError('ALLOW_MISSING');
    return new SuccessReply('node.allow_removed');
  }

  /** Combines the three operations above, selected by `cz`. @throws AgentError as {@link add} and {@link remove} */
  @Operation({
    side: 'admin',
    gn: 'wjcbmd',
    auth: 'admin',
    input: AllowAnyInput,
    audit: 'node.audit_allow',
    writesLine: true,
    rate: 'write',
  })
  async any(input: AllowAnyInput, ctx: CallContext): Promise<ListReply | SuccessReply> {
    if (input.cz === 'list') return this.list(input);
    if (input.cz === 'del') {
      if (input.id === undefined) throw new AgentError('ALLOW_MISSING');
      const removed = await this.remove({ id: input.id });
      await this.writeAudit('node.audit_allow_removed', { id: input.id }, ctx);
      return removed;
    }
    const added = await this.add(input);
    await this.writeAudit('node.audit_allow', { ...added.params, word: input.word }, ctx);
    return added;
  }

  private async writeAudit(key: string, params: TextParams, ctx: CallContext): Promise<void> {
    await this.audit.write(lineOfCall({ side: 'admin', gn: 'wjcbmd' }, auditLine(key, params), ctx));
  }

  /** Returns the number of matches per day and keyword. */
  @Operation({ side: 'admin', gn: 'wjctj', auth: 'admin', input: ScanTrendInput, audit: null, rate: 'read' })
  async trend({ days }: ScanTrendInput): Promise<SuccessReply> {
    return new SuccessReply('node.ok', { ...(await this.days.trend(days)) });
  }
}
