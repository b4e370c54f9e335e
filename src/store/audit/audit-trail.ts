import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';

import { addressForLimits, RateLimiter } from '../../auth/index.js';
import { loggerFor } from '../../common/index.js';
import { Answer, type StoreCall, type StoreRequest } from '../call/index.js';

import { StoreAuditLog } from './audit-log.js';
import { auditRuleOf, type AuditRule } from './audited.js';

const log = loggerFor('store');

/**
 * Limits entries per hour of one action and account, or address for anonymous callers. Beyond it, actions are executed but not logged, so
 * that nobody can fill the log.
 */
const ENTRY_LIMIT = { limit: 60, windowSeconds: 3_600 };

/** Writes the entry that an endpoint declares with `@Audited`, after it succeeded. */
@Injectable()
export class AuditTrail implements NestInterceptor {
  constructor(
    private readonly entries: StoreAuditLog,
    private readonly limiter: RateLimiter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const rule = auditRuleOf(context.getHandler() as (...args: never[]) => unknown);
    if (rule?.kind !== 'own') return next.handle();
    const req = context.switchToHttp().getRequest<StoreRequest & { params?: Record<string, string> }>();
    return next.handle().pipe(
      concatMap(async (result: unknown) => {
        const data = result instanceof Answer ? result.data : result;
        // The action is done; an error response would make the client repeat it.
        await this.write(rule, req.store!, Number(req.params?.id), data).catch((error: unknown) =>
          log.error({ err: error, action: rule.action }, 'an entry of the store’s log could not be written'),
        );
        return result;
      }),
    );
  }

  private async write({ action, entryOf }: AuditRule & { kind: 'own' }, call: StoreCall, id: number, data: unknown): Promise<void> {
    const entry = entryOf({ call, id, data: (data ?? {}) as Record<string, unknown> });
    if (!entry) return;
    const { caller, ip } = call;
    const { allowed } = await this.limiter.hit(`store-audit:${action}:${caller ? caller.id : addressForLimits(ip)}`, ENTRY_LIMIT);
    if (allowed) await this.entries.record({ caller: caller ?? ANONYMOUS, ip }, { action, ...entry });
  }
}

/** Actor of anonymous requests. */
const ANONYMOUS = { id: 0, username: '' };
