import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { AppError, localeOf, translate } from '../../common/index.js';
import { MAX_IDS, Operation, OperationError, RawReply, readIdList } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { MATCH_ACTIONS, MatchActions, type MatchAction } from '../scans/index.js';

class MatchesInput {
  /** One match. */
  @IsOptional() @IsString() @MaxLength(20) id?: string;
  /** Several, comma-separated. */
  @IsOptional() @IsString() @MaxLength(20_000) idsz?: string;
  /** `hl` adds an exception, `tz` notifies the owner of the host, `zt` suspends the host, `gl` quarantines the file. */
  @IsIn([...MATCH_ACTIONS], { message: 'node.match_deed' }) cz!: MatchAction;
}

/** Administrators' operations on scan matches. Source: docs/panel-api.md "Scans". */
@Injectable()
export class MatchOperations {
  constructor(private readonly actions: MatchActions) {}

  /** Processes each match independently; a failure does not affect the others. */
  @Operation({ side: 'admin', gn: 'wjccl', auth: 'admin', input: MatchesInput, audit: 'node.audit_match', rate: 'write' })
  async act({ id, idsz, cz }: MatchesInput, { locale: asked }: CallContext): Promise<RawReply> {
    const { ids, invalid } = readIdList(`${id ?? ''},${idsz ?? ''}`.replace(/^,|,$/g, ''));
    const count = ids.length + invalid.length;
    if (count === 0 || count > MAX_IDS) throw new OperationError('INVALID_INPUT', { field: 'idsz' }, { idsz: 'node.match_which' });
    const locale = localeOf(asked);
    const problems: string[] = [];
    for (const one of ids) {
      const problem = await this.actions.do(one, cz).then(
        () => null,
        (error: unknown) => refusalText(error, (key, params) => translate(locale, key, params)),
      );
      if (problem !== null) problems.push(problem);
    }
    const failed = problems.length + invalid.length;
    const done = count - failed;
    const reason = problems[0] ?? translate(locale, 'node.match_missing');
    const msg = translate(locale, failed === 0 ? 'node.match_done' : 'node.match_done_some', { n: done, failed, reason });
    const ok = done > 0;
    const body = { success: ok, qk: ok ? 1 : 4, code: msg, msg, done, failed, data: { done, failed }, ...(ok ? {} : { err: 'E_STATE' }) };
    return new RawReply(body, {}, { n: done, deed: { key: `node.match_deed_${cz}` } });
  }
}

/** Returns the message of a refusal. @throws any other error */
function refusalText(error: unknown, say: (key: string, params?: AppError['params']) => string): string {
  if (error instanceof AppError) return say(error.shape.text, error.params);
  throw error;
}
