import { Injectable } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { AppError, localeOf, translate, type Locale, type TextRef } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Operation, SuccessReply, Trimmed, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { expiryField, withFormNames } from '../operations/index.js';

import { AdoptionError, NotAdopted } from './adoption-errors.js';
import { NodeDifferences } from './node-differences.js';
import { type Adopted, SiteAdoption, type WantedSite } from './site-adoption.js';

const MAX_QUOTA = 2_000_000_000;
/** Maximum number of sites per call. */
const MAX_SITES = 100;

/** Fields of `zjdr`. Limits and last day apply to all sites of the call. */
export class AdoptInput {
  /** Code of the server. */
  @Trimmed() @IsString() @MaxLength(64) btdh!: string;
  /** `list[]=name`, or `list[0][site]=name&list[0][user]=…&list[0][pass]=…`. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value : JSON.stringify(value)))
  @IsString()
  @MaxLength(100_000)
  list!: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(40) datae?: string;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) webkj?: number;
  /** GB per month. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ll?: number;
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ymbds?: number;
}

/** Adopts sites that exist on a server but not in the panel. Source: docs/panel-api.md "Nodes". */
@Injectable()
export class AdoptionOperations {
  constructor(
    private readonly adoption: SiteAdoption,
    private readonly differences: NodeDifferences,
    private readonly config: AppConfig,
  ) {}

  /** @throws AdoptionError when no site could be adopted */
  @Operation({
    side: 'admin',
    gn: 'zjdr',
    auth: 'admin',
    input: AdoptInput,
    audit: 'hosting.audit_adopt',
    rate: 'expensive',
    servers: { of: 'server-code', field: 'btdh' },
  })
  async adopt({ btdh, list, datae, webkj, ll, ymbds }: AdoptInput, ctx: CallContext): Promise<SuccessReply> {
    const wanted = wantedSites(list);
    const node = await this.differences.server(btdh);
    const limits = { expiresOn: expiryField(datae, this.config.timezone), webMb: webkj, trafficGb: ll, domains: ymbds };
    const all = await withFormNames(() => this.adoption.adopt(node, wanted, limits, 'admin'));
    const done = all.filter(({ reason }) => reason === null);
    const locale = localeOf(ctx.locale);
    if (done.length === 0) throw noneAdopted(all, locale);
    const rows = all.map((one) => rowOf(one, locale));
    const counts = { code: done.length, codr: all.length - done.length };
    return new SuccessReply(
      counts.codr === 0 ? 'hosting.adopted' : 'hosting.adopted_some',
      { done: counts.code, failed: counts.codr, rows },
      { done: counts.code, failed: counts.codr, btdh: node.code, users: done.map(({ user }) => user).join(', ') },
    );
  }
}

/** @throws AdoptionError INVALID_FIELDS */
function wantedSites(text: string): WantedSite[] {
  const refuse = (message: string): never => {
    throw new AdoptionError('INVALID_FIELDS', {}, { list: message });
  };
  let items: unknown[];
  try {
    items = Object.values(JSON.parse(text) as object);
  } catch {
    items = text.split(/[\s,，]+/);
  }
  const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
  const sites = items.map((item): WantedSite => {
    if (item === null || typeof item !== 'object') return { site: textOf(item), user: '', password: '' };
    const { site, user, pass } = item as Record<string, unknown>;
    return { site: textOf(site), user: textOf(user), password: typeof pass === 'string' ? pass : '' };
  });
  const named = sites.filter(({ site }) => site !== '');
  if (named.length === 0) refuse('hosting.adopt_list_none');
  if (named.length > MAX_SITES) refuse('hosting.adopt_list_many');
  if (new Set(named.map(({ site }) => site)).size < named.length) refuse('hosting.adopt_list_twice');
  return named;
}

const messageOf = (reason: AppError | TextRef, locale: Locale): string =>
  reason instanceof AppError ? translate(locale, reason.shape.text, reason.params) : translate(locale, reason.key, reason.params);

/** For a single site, attaches its errors to the form fields. */
function noneAdopted(all: readonly Adopted[], locale: Locale): AppError {
  const [{ reason }] = all as [Adopted];
  if (all.length === 1 && reason instanceof AppError) {
    const names: Readonly<Record<string, string>> = { user: 'list[0][user]', pass: 'list[0][pass]', password: 'list[0][pass]' };
    const fields = Object.entries(reason.fields ?? {}).map(([name, text]) => [names[name] ?? name, text] as [string, string | TextRef]);
    if (reason.shape.err === 'E_EXISTS') fields.push(['list[0][user]', reason.shape.text]);
    return new NotAdopted(reason, Object.fromEntries(fields));
  }
  return new AdoptionError('NONE_ADOPTED', { reason: reason ? messageOf(reason, locale) : '-' });
}

/** Every value is text. `pass` contains only a generated password, shown this once. */
function rowOf({ site, user, id, password, reason }: Adopted, locale: Locale): Record<string, string> {
  const zt = reason === null ? 'done' : 'failed';
  return { site, user, id: String(id), pass: password, zt, yy: reason ? messageOf(reason, locale) : '' };
}
