import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { checkVersion, nextVersion } from '../../http/index.js';
import { NoInput, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { hostOf, shownSize } from '../files/index.js';
import { DatabasePasswords, type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { addressesError, addressesForm, LOCAL, readAddresses } from './database-addresses.js';
import { ProgramError, programError } from './program-errors.js';
import { DatabaseAddressesInput, DatabasePasswordInput } from './program-inputs.js';
import { databaseOf } from './site-state.js';

/** Operations on the database of a site and its access. Source: docs/panel-api.md "Databases of sites". */
export const databaseOperations = siteOperations((on) => {
  @Injectable()
  class DatabaseOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly passwords: DatabasePasswords,
      private readonly config: AppConfig,
    ) {}

    /** Returns the connection data of the database, without the password. */
    @Operation(on('databasexx', NoInput, null, 'read'))
    async find(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'read');
      const { name, username, host, port, bytes, tables, addresses } = await databaseOf(site);
      const known = await this.passwords.find(site.account.id);
      return new SuccessReply('siteprograms.database_read', {
        name,
        user: username,
        host,
        port,
        size: bytes ?? '',
        dx: bytes === null ? '' : shownSize(bytes),
        tables: tables ?? '',
        access: addresses.length === 0 ? LOCAL : addresses.join(','),
        set_at: known ? legacyTime(known.setAt, this.config.timezone) : '',
      });
    }

    /** Returns the password, if it was set in the panel. */
    @Operation({ ...on('databaseck', NoInput, 'siteprograms.audit_password_shown', 'write'), secondProof: true })
    async showPassword(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'read');
      site.port('database');
      const known = await this.passwords.find(site.account.id);
      if (known === null) throw new ProgramError('PASSWORD_UNKNOWN');
      const extras = { pass: known.password, set_at: legacyTime(known.setAt, this.config.timezone) };
      return new SuccessReply('siteprograms.password_shown', extras, { host: hostOf(site) });
    }

    /** Sets and returns the password; generates one if none is given. */
    @Operation({ ...on('databasemm', DatabasePasswordInput, 'siteprograms.audit_password', 'write'), secondProof: true })
    async changePassword(input: DatabasePasswordInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const password = await this.passwords.change(site, input.pass);
      return new SuccessReply('siteprograms.password_set', { pass: password }, { host: hostOf(site) });
    }

    /**
     * Sets the addresses with remote access. They are stored only on the server, so the form's version is compared right before the call,
     * as for commands.
     *
     * @throws StaleForm
     */
    @Operation(on('databaseaq1', DatabaseAddressesInput, 'siteprograms.audit_addresses', 'write'))
    async allow(input: DatabaseAddressesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      site.port('database');
      const addresses = readAddresses(input.dataAccess);
      if (input.row_version) checkVersion(input.row_version, addressesForm((await databaseOf(site)).addresses));
      await site.ask('database', (port, account, deadline) => port.allow(account, addresses, deadline), addressesError(addresses));
      const shown = addresses.length === 0 ? LOCAL : addresses.join(', ');
      const extras = { access: shown, ...nextVersion(input.row_version, addressesForm(addresses)) };
      return new SuccessReply('siteprograms.addresses_set', extras, { host: hostOf(site), addresses: shown });
    }

    /** Issues a single-use, short-lived link that opens the database in a web client. */
    @Operation({ ...on('sqlsso', NoInput, 'siteprograms.audit_sign_in', 'write'), secondProof: true })
    async signIn(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const { url } = await site.ask(
        'database',
        (port, account, deadline) =>
          port.signIn?.(account, deadline) ??
          Promise.resolve({ outcome: 'refused', message: 'no such program', problem: { code: 'DATABASE_PROGRAM' } } as const),
        programError,
      );
      return new SuccessReply('siteprograms.sign_in', { url }, { host: hostOf(site) });
    }
  }
  return DatabaseOperations;
});
