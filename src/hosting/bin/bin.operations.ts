import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { accessOf } from '../../auth/index.js';
import { DAY_MS, legacyTime, localeOf, translate, type Locale } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { EmptyIsUnset } from '../../http/index.js';
import { ListInput, ListReply, Operation, RowId, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { BYTES_PER_MB, KeptSites } from '../accounts/index.js';
import { HostingError } from '../hosting-errors.js';
import { BinPurge } from '../maintenance/index.js';
import { expiryField, withFormNames } from '../operations/index.js';
import { NEVER } from '../wire/index.js';

import { BinList, type ListedSite } from './bin-list.js';
import { BinRestore } from './bin-restore.js';

/** Identifies one deleted site. */
export class BinIdInput {
  @RowId() id!: number;
}

/** Fields of `zjqc`. */
export class PurgeSiteInput extends BinIdInput {
  /** User name of the deleted account, as a confirmation. */
  @IsOptional() @Trimmed() @EmptyIsUnset() @IsString() @MaxLength(64) qr?: string;
}

/** Fields of `zjhf`. */
export class RestoreSiteInput extends BinIdInput {
  /** Name of the new account; empty keeps the old one. */
  @IsOptional() @Trimmed() @EmptyIsUnset() @IsString() @MaxLength(64) user?: string;
  /** Password of the new account. */
  @IsString() @MaxLength(64) pass!: string;
  /** Last day; empty keeps the old one; `0` or `0000-00-00` never expires. */
  @IsOptional() @Trimmed() @EmptyIsUnset() @IsString() @MaxLength(40) datae?: string;
}

/** The recycle bin: deleted sites kept by their servers. Source: docs/panel-api.md "Recycle bin". */
@Injectable()
export class BinOperations {
  constructor(
    private readonly rows: BinList,
    private readonly kept: KeptSites,
    private readonly restoring: BinRestore,
    private readonly purging: BinPurge,
    private readonly clock: ZonedClock,
  ) {}

  @Operation({ side: 'admin', gn: 'lisths', auth: 'admin', input: ListInput, audit: null, rate: 'read', servers: 'listed' })
  async list({ page, limit, sortOrder, ss: text }: ListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.rows.page({ page, limit, sortOrder, text, servers: accessOf(ctx.admin).servers ?? null });
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      rows.map((row) => this.line(row, locale)),
    );
  }

  /** Restores the site to a new account. @throws HostingError BIN_GONE, BIN_BUSY, BIN_LOST, ACCOUNT_EXISTS, and as opening an account */
  @Operation({
    side: 'admin',
    gn: 'zjhf',
    auth: 'admin',
    input: RestoreSiteInput,
    audit: 'hosting.audit_bin_restore',
    rate: 'write',
    servers: { of: 'kept-site', field: 'id' },
  })
  async restore({ id, user, pass, datae }: RestoreSiteInput): Promise<SuccessReply> {
    const before = await this.existing(id);
    const expiresOn = datae === undefined ? undefined : expiryField(datae, this.clock.timezone);
    const host = await withFormNames(() => this.restoring.restore({ id, user, password: pass, expiresOn }, 'admin'));
    const reasons = host.pauseReasons.join(',');
    return new SuccessReply(
      reasons === '' ? 'hosting.bin_restored' : 'hosting.bin_restored_paused',
      { id: host.id, user: host.user, url: host.url },
      { user: before.username, name: host.user },
    );
  }

  /** Permanently deletes the site now. @throws HostingError BIN_GONE, BIN_BUSY; INVALID_INPUT when `qr` is another name */
  @Operation({
    side: 'admin',
    gn: 'zjqc',
    auth: 'admin',
    input: PurgeSiteInput,
    audit: 'hosting.audit_bin_purge',
    rate: 'write',
    servers: { of: 'kept-site', field: 'id' },
    secondProof: true,
  })
  async purge({ id, qr }: PurgeSiteInput): Promise<SuccessReply> {
    const { username } = await this.existing(id);
    if (qr !== undefined && qr !== username) throw new HostingError('INVALID_INPUT', {}, { qr: 'hosting.field_confirm_name' });
    const done = await this.purging.now(id);
    return new SuccessReply(done === 'done' ? 'hosting.bin_purged' : 'hosting.bin_purging', { id }, { user: username });
  }

  private async existing(id: number) {
    const site = await this.kept.find(id);
    if (!site || site.state === 'moving') throw new HostingError('BIN_GONE');
    return site;
  }

  private line(row: ListedSite, locale: Locale): Record<string, string> {
    const time = (moment: Date): string => legacyTime(moment, this.clock.timezone);
    const left = Math.max(0, Math.ceil((row.purgeAfter.getTime() - this.clock.now().getTime()) / DAY_MS));
    return {
      id: String(row.id),
      user: row.username,
      // Initial value of the restore form.
      free_user: row.taken ? '' : row.username,
      server: row.nodeCode,
      mb: (row.webUsedBytes / BYTES_PER_MB).toFixed(2),
      hxa: String(row.webQuotaMb),
      datae: row.expiresOn ?? NEVER,
      order: row.requestId ?? '',
      deleted_by: deletedByText(row, locale),
      deleted_at: time(row.deletedAt),
      purge_after: time(row.purgeAfter),
      days_left: String(left),
      state: row.state,
    };
  }
}

/** Who deleted it: the administrator's name, a translated source such as a job, or the slug of a plugin. */
function deletedByText({ deletedBy, deletedName }: ListedSite, locale: Locale): string {
  if (deletedName !== '') return deletedName;
  const key = `hosting.bin_by_${deletedBy}`;
  const text = translate(locale, key);
  return text === key ? deletedBy : text;
}
