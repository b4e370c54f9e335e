import { Injectable } from '@nestjs/common';

import { AppError, Semaphore, errorMessage, localeOf, loggerFor, translate, type Locale } from '../../common/index.js';
import { SuccessReply, Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingService } from '../hosting.service.js';
import { BinPurge } from '../maintenance/index.js';

import { DeleteHostInput, HostIdsInput } from './host-inputs.js';
import { HostOperationError } from './host-errors.js';
import { HostRows } from './host-rows.js';
import { readIds } from './id-list.js';

const log = loggerFor('hosting');

/** Deletions of one call that run in parallel. */
const AT_ONCE = 4;

/** Operations that delete hosts with their sites. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HostDeleteOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly rows: HostRows,
    private readonly purge: BinPurge,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'zjsc',
    auth: 'admin',
    input: DeleteHostInput,
    audit: 'hosting.audit_delete',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
    secondProof: true,
  })
  async delete({ id, qr, ms }: DeleteHostInput, ctx: CallContext): Promise<SuccessReply> {
    const user = await this.terminate(id, ctx, ms, qr);
    return new SuccessReply('hosting.deleted', { id }, { user });
  }

  /** Deletes each host independently: a failure is counted and reported, and the others are still deleted. */
  @Operation({
    side: 'admin',
    gn: 'zjscxz',
    auth: 'admin',
    input: HostIdsInput,
    audit: 'hosting.audit_delete_many',
    rate: 'write',
    servers: { of: 'host', field: 'idsz', many: true },
    secondProof: true,
  })
  async deleteMany({ idsz, ms }: HostIdsInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    const { ids, invalid } = readIds(idsz);
    const missing = translate(locale, 'hosting.account_not_found');
    const errors: Record<string, string> = Object.fromEntries(invalid.map((item) => [item, missing]));
    const turns = new Semaphore(AT_ONCE);
    const deleted: string[] = [];
    await Promise.all(
      ids.map((id) =>
        turns.take(async () => {
          try {
            deleted.push(await this.terminate(id, ctx, ms));
          } catch (error) {
            errors[String(id)] = reasonOf(error, id, locale);
          }
        }),
      ),
    );
    const [code, codr] = [deleted.length, Object.keys(errors).length];
    const msg = translate(locale, codr === 0 ? 'hosting.deleted_many' : 'hosting.deleted_some', { done: code, failed: codr });
    const ok = code > 0;
    const body = { success: ok, qk: ok ? 1 : 4, code, codr, msg, errors, data: { code, codr, errors } };
    return new RawReply(body, {}, { done: code, failed: codr, users: deleted.join(', ') || '-' });
  }

  /** Deletes a host and returns its name. */
  private async terminate(id: number, ctx: CallContext, ms: 'hs' | 'cd' = 'hs', confirmed?: string): Promise<string> {
    const { user, sqldz } = await this.rows.row(id);
    if (confirmed !== undefined && confirmed !== user)
      throw new HostOperationError('INVALID_FIELDS', {}, { qr: 'hosting.field_confirm_name' });
    const destroy = ms === 'cd';
    await this.hosting.terminate(id, 'admin', { by: ctx.admin?.username, destroy });
    if (destroy) await this.purge.ofHost(sqldz!);
    return user!;
  }
}

function reasonOf(error: unknown, id: number, locale: Locale): string {
  if (error instanceof AppError) return translate(locale, error.shape.text, error.params);
  log.error({ err: error, account: id, message: errorMessage(error) }, 'a host could not be deleted');
  return translate(locale, 'hosting.delete_failed');
}
