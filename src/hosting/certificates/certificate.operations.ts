import { Injectable } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import { localeOf, translate } from '../../common/index.js';
import { NoInput, Operation, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { refuse } from './certificate-errors.js';
import { CertificateRevocation } from './certificate-revocation.js';
import { type NameAnswer, NameCheck } from './name-check.js';
import { isProofHidden } from './proof-visibility.js';
import { SiteCertificateService } from './site-certificate-service.js';
import { CertificateNames } from './certificate-names.js';

/** Maximum length of a pasted key and of pasted certificates, in characters: both fit into their columns. */
const LONGEST_KEY = 20_000;
const LONGEST_PEM = 60_000;

/** Reads a list of names: a JSON array (from `list[]=…`), or separated by commas, blanks or line breaks. */
function names(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (!text.startsWith('[')) return text.split(/[\s,]+/).filter((name) => name !== '');
  try {
    return JSON.parse(text);
  } catch {
    return value;
  }
}

class OrderInput {
  @IsOptional()
  @Transform(({ value }) => names(value))
  @IsArray({ message: 'certificates.no_names' })
  @IsString({ each: true, message: 'certificates.no_names' })
  @MaxLength(300, { each: true })
  list: string[] = [];
  /** `false`: for a site without a certificate; anything else replaces the present one. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(10) type = 'false';
}

class InstallCertificateInput {
  @IsOptional() @IsString() @MaxLength(LONGEST_KEY, { message: 'certificates.key_bad' }) key = '';
  @IsOptional() @IsString() @MaxLength(LONGEST_PEM, { message: 'certificates.pem_bad' }) pem = '';
}

class ForceInput {
  @Switch() @IsBoolean() qk!: boolean;
}

class CheckNameInput {
  @Trimmed() @IsString() @MaxLength(300) url!: string;
}

const ANSWER_TEXTS: Record<NameAnswer['state'], string> = {
  here: 'certificates.look_here',
  elsewhere: 'certificates.look_elsewhere',
  silent: 'certificates.look_silent',
  internal: 'certificates.look_internal',
};

/** Changes the certificate of a site. Source: docs/panel-api.md "Certificates". */
export const certificateOperations = siteOperations((on, side) => {
  @Injectable()
  class CertificateOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly service: SiteCertificateService,
      private readonly siteNames: CertificateNames,
      private readonly check: NameCheck,
      private readonly revocation: CertificateRevocation,
    ) {}

    @Operation(on('sqssl', OrderInput, 'certificates.audit_ordered', 'expensive'))
    async order(input: OrderInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      const by = side === 'admin' ? ctx.admin?.username : ctx.user?.username;
      const ordered = await this.service.order(site, input.list, input.type !== 'false', by);
      return new SuccessReply('certificates.ordered', { names: ordered }, { names: ordered.join(', '), host: site.account.username });
    }

    @Operation(on('qxssl', NoInput, 'certificates.audit_cancelled', 'write'))
    async cancel(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      await this.service.cancel(site);
      return new SuccessReply('certificates.cancelled', {}, { host: site.account.username });
    }

    @Operation(on('setssl', InstallCertificateInput, 'certificates.audit_installed', 'write'))
    async install(input: InstallCertificateInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      const { isIncomplete } = await this.service.install(site, input.key, input.pem);
      return new SuccessReply(
        isIncomplete ? 'certificates.installed_incomplete' : 'certificates.installed',
        {},
        { host: site.account.username },
      );
    }

    @Operation(on('clossl', NoInput, 'certificates.audit_removed', 'write'))
    async remove(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      await this.service.remove(site);
      return new SuccessReply('certificates.removed', {}, { host: site.account.username });
    }

    /** For an owner whose private key may be compromised. */
    @Operation(on('dxssl', NoInput, 'certificates.audit_revoked', 'expensive'))
    async revoke(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      const why = await this.revocation.revoke(site, side === 'admin' ? ctx.admin?.username : ctx.user?.username);
      const params = { host: site.account.username, why: why ? translate(localeOf(ctx.locale), why.told.key, why.told.params) : '' };
      return new SuccessReply(why ? 'certificates.revoked_later' : 'certificates.revoked', { ordered: why === null }, params);
    }

    @Operation(on('httpsqz', ForceInput, 'certificates.audit_forced', 'write'))
    async force(input: ForceInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      await this.service.forceHttps(site, input.qk);
      return new SuccessReply(input.qk ? 'certificates.forced' : 'certificates.not_forced', {}, { host: site.account.username });
    }

    /** Checks whether an authority would reach the site under a name now; changes nothing. */
    @Operation(on('jcssl', CheckNameInput, 'certificates.audit_looked', 'expensive'))
    async checkName(input: CheckNameInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'read');
      site.port('certificates');
      if (isProofHidden(site)) refuse('NOT_RUNNING');
      const [name] = await this.siteNames.wanted(site.account, [input.url]);
      const { dns, target, answer } = await this.check.inspect(site, name ?? refuse('NO_NAMES'));
      const found = dns.found.slice(0, 6).join(', ') || '-';
      const extras = { state: answer.state, status: answer.status, dns: dns.state, found: dns.found, target };
      return new SuccessReply(ANSWER_TEXTS[answer.state], extras, {
        url: name!,
        found,
        status: answer.status,
        target: target?.value ?? '-',
      });
    }
  }
  return CertificateOperations;
});
