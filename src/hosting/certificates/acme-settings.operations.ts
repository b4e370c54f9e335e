import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import { Secrets } from '../../config/index.js';
import { checkVersion, nextVersion, VersionField } from '../../http/index.js';
import { Operation, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';

import { AcmeProblem, Authorities } from './acme/index.js';
import { acmeForm, BINDING_KEY_PLACE } from './acme-settings.js';
import { refuse } from './certificate-errors.js';

class TermsInput {
  /** Directory of the authority; empty for the configured one. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) ml = '';
}

/** Fields of `zssz`; a missing field leaves its setting unchanged. */
class AcmeSettingsInput {
  /** Whether certificates are ordered. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** Directory of the authority. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) ml?: string;
  /** Contact address for the authority; empty for none. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(254) yx?: string;
  /** Whether its terms are accepted. */
  @IsOptional() @Switch() @IsBoolean() ty?: boolean;
  /** Key id of an existing account at the authority (external account binding); empty for none. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) zhid?: string;
  /** HMAC key of that account, base64url; empty keeps the stored one. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) zhmy?: string;
  @VersionField() row_version?: string;
}

/** HMAC keys as issued by authorities, of 128 bits or more. */
const HMAC_KEY = /^[A-Za-z0-9+/_-]{22,}={0,2}$/;
const MAIL = /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,189}$/;

/** Settings of the certificate authority. Source: docs/panel-api.md "Certificates". */
@Injectable()
export class AcmeSettingsOperations {
  constructor(
    private readonly authorities: Authorities,
    private readonly settings: SiteSettings,
    private readonly secrets: Secrets,
  ) {}

  /** Requests the terms of use that orders from this authority accept. */
  @Operation({ side: 'admin', gn: 'zstk', auth: 'admin', input: TermsInput, audit: 'certificates.audit_terms', rate: 'expensive' })
  async terms({ ml }: TermsInput): Promise<SuccessReply> {
    const directory = ml === '' ? this.settings.current.acmeDirectory : directoryOf(ml);
    const { terms } = await this.about(directory);
    return new SuccessReply(terms === null ? 'certificates.terms_none' : 'certificates.terms', { terms }, { terms: terms ?? '-' });
  }

  /** @throws CertificateError DIRECTORY, INTERNAL, SILENT, MAIL, AGREE, BINDING_NEEDED, BINDING_KEY; StaleForm */
  @Operation({
    side: 'admin',
    gn: 'zssz',
    auth: 'admin',
    input: AcmeSettingsInput,
    audit: 'certificates.audit_settings',
    rate: 'expensive',
    secondProof: true,
  })
  async save(input: AcmeSettingsInput): Promise<SuccessReply> {
    const before = this.settings.current;
    const directory = input.ml === undefined ? before.acmeDirectory : directoryOf(input.ml);
    if (input.yx && !MAIL.test(input.yx)) refuse('MAIL');
    const isAgreed = input.ty ?? before.acmeAgreed === directory;
    const isOn = input.kg ?? before.acmeOn;
    if (isOn && !isAgreed) refuse('AGREE');
    // Before it is used, the authority must respond like one.
    const binding = this.bindingOf(input, directory);
    const isOther = directory !== before.acmeDirectory || !before.acmeOn || binding.isOther;
    if (isOn && isOther && (await this.about(directory)).wantsBinding && !binding.values.acmeBindingKey) refuse('BINDING_NEEDED');
    const given = {
      acmeDirectory: directory,
      acmeOn: isOn,
      acmeAgreed: isAgreed ? directory : '',
      ...binding.values,
      ...(input.yx === undefined ? {} : { acmeMail: input.yx }),
    };
    await this.settings.change(given, (row) => checkVersion(input.row_version, acmeForm(row)));
    if (binding.isOther) await this.authorities.replace(directory);
    const extras = nextVersion(input.row_version, acmeForm(this.settings.current));
    return new SuccessReply('certificates.settings_saved', extras);
  }

  /**
   * Returns the external account to store: one of another authority is discarded, and an empty key keeps the stored one.
   *
   * @throws CertificateError BINDING_KEY
   */
  private bindingOf({ zhid, zhmy = '' }: AcmeSettingsInput, directory: string) {
    const { acmeDirectory, acmeBindingId, acmeBindingKey } = this.settings.current;
    const isSame = directory === acmeDirectory;
    const id = zhid ?? (isSame ? acmeBindingId : '');
    if (id === '') return { values: { acmeBindingId: '', acmeBindingKey: null }, isOther: isSame && acmeBindingId !== '' };
    if (zhmy === '' && isSame && acmeBindingKey && id === acmeBindingId)
      return { values: { acmeBindingId, acmeBindingKey }, isOther: false };
    if (!HMAC_KEY.test(zhmy)) refuse('BINDING_KEY');
    return { values: { acmeBindingId: id, acmeBindingKey: this.secrets.seal(zhmy, BINDING_KEY_PLACE) }, isOther: true };
  }

  private async about(directory: string): Promise<{ terms: string | null; wantsBinding: boolean }> {
    try {
      return await this.authorities.about(directory);
    } catch (error) {
      if (!(error instanceof AcmeProblem)) throw error;
      return refuse(error.kind === 'internal' ? 'INTERNAL' : 'SILENT', { detail: error.params.detail ?? '' });
    }
  }
}

/** @throws CertificateError DIRECTORY */
function directoryOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  // https is required by RFC 8555 section 6.1, except for a server on this machine.
  const isFine = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) && url.username === '';
  return isFine ? url.href : refuse('DIRECTORY');
}
