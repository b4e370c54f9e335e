import { Injectable } from '@nestjs/common';

import { localeOf } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { SuccessReply, Operation } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DATABASE_PASSWORD, SiteAccess } from '../site-tools/index.js';

import { reasonWords } from './admin-reason.js';
import { expiryField } from './expiry-field.js';
import { withFormNames } from './form-names.js';
import { HostEdit, textsOf } from './host-edit.js';
import { HostOperationError } from './host-errors.js';
import { EditHostInput, HostIdInput } from './host-inputs.js';
import { HostRows } from './host-rows.js';

/** Operations that read and change a single host. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HostEditOperations {
  constructor(
    private readonly rows: HostRows,
    private readonly editing: HostEdit,
    private readonly sites: SiteAccess,
    private readonly config: AppConfig,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'zjsj',
    auth: 'admin',
    input: HostIdInput,
    audit: null,
    rate: 'read',
    servers: { of: 'host', field: 'id' },
  })
  async read({ id }: HostIdInput): Promise<SuccessReply> {
    return new SuccessReply('hosting.read', await this.rows.row(id));
  }

  @Operation({
    side: 'admin',
    gn: 'zjxgjl',
    auth: 'admin',
    input: EditHostInput,
    audit: 'hosting.audit_edit',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async change(input: EditHostInput, ctx: CallContext): Promise<SuccessReply> {
    const before = await this.rows.row(input.id);
    refuseAnotherName(input, before.user!);
    const locale = localeOf(ctx.locale);
    const hasDatabase = Boolean(input.sqluser || input.sqlpass) && (await this.sites.ofHost(input.id)).has('database');
    if (hasDatabase) checkDatabasePassword(input.sqlpass);
    const wanted = {
      quota: {
        webMb: input.webkj,
        databaseMb: input.sqlkj,
        trafficGb: input.llmax,
        domains: input.ymbds,
        monitors: input.jk_max,
        backups: input.bf_max,
      },
      expiresOn: input.datar ? expiryField(input.datar, this.config.timezone, 'datar') : undefined,
      password: input.pass || undefined,
      databasePassword: hasDatabase ? input.sqlpass || undefined : undefined,
      email: input.mailuser === undefined || input.mailuser === before.mailuser ? undefined : input.mailuser || null,
      running: input.kg,
      version: input.row_version,
    };
    const { host, changed } = await withFormNames(() => this.editing.edit(input.id, wanted, ctx, locale));
    const extras = { ...(await this.rows.row(input.id)), changed };
    const params = { user: host.user, done: changed.length > 0 ? textsOf(changed) : '-' };
    if (input.kg === true && host.status === 'paused') {
      return new SuccessReply('hosting.changed_still_paused', extras, { ...params, reasons: reasonWords(host.pauseReasons, locale) });
    }
    return new SuccessReply(changedText(input, hasDatabase), extras, params);
  }
}

/** Older forms send the account and password of the database; the response says what happened to them. */
function changedText({ sqluser, sqlpass }: EditHostInput, hasDatabase: boolean): string {
  if (!hasDatabase) return sqluser || sqlpass ? 'hosting.changed_without_database' : 'hosting.changed';
  return sqluser ? 'hosting.changed_database_name' : 'hosting.changed';
}

function checkDatabasePassword(password: string | undefined): void {
  if (password && !DATABASE_PASSWORD.test(password))
    throw new HostOperationError('INVALID_FIELDS', {}, { sqlpass: 'hosting.database_password' });
}

/** The name of a host cannot be changed. */
function refuseAnotherName({ user }: EditHostInput, present: string): void {
  if (user && user.toLowerCase() !== present.toLowerCase())
    throw new HostOperationError('INVALID_FIELDS', {}, { user: 'hosting.field_user_fixed' });
}
