import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIP, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';

import { CountedTries, addressForLimits, type CountedTry } from '../auth/index.js';
import { legacyTime, localeOf, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { ListInput, ListReply, Operation, SuccessReply, Switch, Trimmed } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';

/** Labels of rate limit keys by prefix; the first match wins. `limits.spec.ts` finds keys in the source without a label. */
const KINDS = [
  ['login:log:', 'sign_in_lines'],
  [/^login:\w+:net:/, 'sign_in_network'],
  [/^login:\w+:pair:/, 'sign_in_pair'],
  [/^login:\w+:account:/, 'sign_in_account'],
  [/^login:\w+:device:/, 'sign_in_device'],
  ['code:', 'code'],
  ['password:', 'password'],
  ['captcha:', 'captcha'],
  [/^reset:(?:net|pair|customer):/, 'reset'],
  ['register:net:', 'register_network'],
  ['register:mail:', 'register_mail'],
  ['confirm:customer:', 'confirm'],
  ['coupon:', 'coupon'],
  [/^redeem:(?:who|ip):/, 'redeem'],
  ['api:key:', 'api_key'],
  ['wrong:node:', 'agent'],
  ['wrong:pay:', 'gateway'],
  ['wrong:rejected:', 'rejected'],
  ['wrong:line:', 'lines'],
  ['class:', 'flood'],
  [/^unpaid:(?:ip|user):/, 'unpaid'],
  ['link:', 'link'],
  ['usage:', 'usage'],
  [/^store[:-]/, 'store'],
] as const;

class LimitListInput extends ListInput {
  /** Only for this address; for IPv6 its /64 network. An invalid address finds nothing. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) ip?: string;
  /** Only limits that are exceeded now. */
  @IsOptional() @Switch() @IsBoolean() xz?: boolean;
}

class LimitInput {
  /** The `id` of a row. */
  @IsOptional() @IsString() @MaxLength(190) id?: string;
  /** Clears all counts of an address; for IPv6 of its /64 network. */
  @IsOptional() @Trimmed() @ValidateIf((_, value) => value !== '') @IsIP(undefined, { message: 'account.limit_ip_rule' }) ip?: string;
}

/** A rate limit count on the wire. */
interface LimitLine {
  readonly id: string;
  /** Address or network; empty if counted by something else. */
  readonly ip: string;
  /** Display name of the limit. */
  readonly lx: string;
  /** Subject besides the address: an account, a device, an agent. */
  readonly zh: string;
  /** Current count. */
  readonly cs: string;
  /** Maximum; empty if there is none. */
  readonly zd: string;
  /** `true`: rejected until {@link date}. */
  readonly xz: string;
  /** When it expires. */
  readonly date: string;
}

/** Lists and clears rate limits. Source: docs/panel-api.md "Limits". */
@Injectable()
export class LimitOperations {
  constructor(
    private readonly tries: CountedTries,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'sxlist', auth: 'admin', input: LimitListInput, audit: null, rate: 'read' })
  async list({ page, limit, ip, xz }: LimitListInput, ctx: CallContext): Promise<ListReply<LimitLine>> {
    const { total, rows } = await this.tries.list({ ip, held: xz, offset: (page - 1) * limit, limit });
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      rows.map((row) => lineOf(row, locale, this.config.timezone)),
    );
  }

  /** Clears a count, or all counts of an address, so that attempts are allowed again immediately. */
  @Operation({ side: 'admin', gn: 'sxcz', auth: 'admin', input: LimitInput, audit: 'account.audit.limit', rate: 'write' })
  async reset({ id, ip }: LimitInput): Promise<SuccessReply> {
    if (ip) {
      const n = await this.tries.forgetAddress(ip);
      return new SuccessReply('account.limit_address_reset', { n }, { n, what: addressForLimits(ip) });
    }
    if (!id) throw new AccountError('LIMIT_WHICH', {}, { ip: 'account.limit_ip_rule' });
    if (!(await this.tries.forget(id))) throw new AccountError('LIMIT_MISSING');
    return new SuccessReply('account.limit_reset', { n: 1 }, { n: 1, what: id });
  }
}

function lineOf({ key, address, count, most, endsAt }: CountedTry, locale: Locale, timezone: string): LimitLine {
  const kind = KINDS.find(([start]) => (typeof start === 'string' ? key.startsWith(start) : start.test(key)));
  const rest = kind ? key.slice(startOf(kind[0], key).length) : key;
  const subject = rest
    .replace(address, '')
    .replace(/^:|:$/g, '')
    // Counted for all addresses together.
    .replace(/:all$/, '')
    .replace(/^hash:.*/, '');
  return {
    id: key,
    ip: address,
    lx: translate(locale, `account.limit.${kind?.[1] ?? 'other'}`),
    zh: subject,
    cs: String(count),
    zd: most === null ? '' : String(most),
    xz: String(most !== null && count >= most),
    date: legacyTime(endsAt, timezone),
  };
}

const startOf = (start: string | RegExp, key: string): string => (typeof start === 'string' ? start : start.exec(key)![0]);
