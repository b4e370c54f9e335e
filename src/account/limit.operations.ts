import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIP, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';

import { CountedTries, addressForLimits, type CountedTry } from '../auth/index.js';
import { legacyTime, localeOf, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { ListInput, ListReply, Operation, SuccessReply, Switch, Trimmed } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';

/** Kinds of counts that have words, as their keys begin; the first that fits. `limits.spec.ts` finds those in the source that have none. */
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
  /** Of one address; of IPv6 its /64 network counts. What is no address finds nothing. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) ip?: string;
  /** Whether only what is refused at present is listed. */
  @IsOptional() @Switch() @IsBoolean() xz?: boolean;
}

class LimitInput {
  /** The `id` of a row. */
  @IsOptional() @IsString() @MaxLength(190) id?: string;
  /** Everything of one address; of IPv6 of its /64 network. */
  @IsOptional() @Trimmed() @ValidateIf((_, value) => value !== '') @IsIP(undefined, { message: 'account.limit_ip_rule' }) ip?: string;
}

/** A count on the wire. */
interface LimitLine {
  readonly id: string;
  /** Address or network; empty where it is counted by something else. */
  readonly ip: string;
  /** What is counted, in words. */
  readonly lx: string;
  /** Whose it is besides the address: an account, a device, an agent. */
  readonly zh: string;
  /** How often so far. */
  readonly cs: string;
  /** How often at most; empty where nothing is refused. */
  readonly zd: string;
  /** `true`: refused until {@link date}. */
  readonly xz: string;
  /** When it is forgotten by itself. */
  readonly date: string;
}

/** Who is held back by limits, and letting him go. Source: docs/panel-api.md "Limits". */
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

  /** Forgets a count, or all of an address: who was held back may try again at once. */
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
  const who = rest
    .replace(address, '')
    .replace(/^:|:$/g, '')
    // Counted for every address together.
    .replace(/:all$/, '')
    .replace(/^hash:.*/, '');
  return {
    id: key,
    ip: address,
    lx: translate(locale, `account.limit.${kind?.[1] ?? 'other'}`),
    zh: who,
    cs: String(count),
    zd: most === null ? '' : String(most),
    xz: String(most !== null && count >= most),
    date: legacyTime(endsAt, timezone),
  };
}

const startOf = (start: string | RegExp, key: string): string => (typeof start === 'string' ? start : start.exec(key)![0]);
