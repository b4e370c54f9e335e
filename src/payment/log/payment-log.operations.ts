import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { legacyTime, localeOf, translate, type Locale } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, EntityPages } from '../../database/index.js';
import { ListInput, ListReply, Operation, OperationLog, RowId, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { RejectedKind, RejectedNotification } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { PaymentMethods } from '../gateways/index.js';
import { sayTrace, RejectedNotifications } from '../notifications/index.js';
import { MAX_SLUG_LENGTH, payType } from '../orders/index.js';

import { PAYMENT_CATEGORY } from './payment-log.js';

const KINDS: readonly RejectedKind[] = ['gateway', 'settlement', 'failed'];

/** Matches the gateway in lines the panel writes itself: `<order> <slug> …`, `<order> <slug>__<method>: …` and `[<slug>] …`. */
const OWN_LINE = /^(\d+ |\[)([a-z\d-]+(?:_[a-z\d-]+)*)(?:__([\w-]+))?/i;

/** Levels of the panel's own lines, as written by existing installations. */
const LEVELS: Readonly<Record<string, string>> = {
  处理成功: 'done',
  处理失败: 'refused',
  重复回调: 'repeated',
  处理警告: 'second',
  回调异常: 'failed',
};

/** Translates the level of a line; a gateway's own levels stay unchanged. */
function levelIn(outcome: string, locale: Locale): string {
  const [level = ''] = outcome.split('\n', 1);
  const known = Object.hasOwn(LEVELS, level) ? translate(locale, `payment.log.level_${LEVELS[level]}`) : level;
  return known + outcome.slice(level.length);
}

/** Fields of `listzfrz`. */
export class PaymentLogInput extends ListInput {
  /** Only lines of this gateway. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(MAX_SLUG_LENGTH) jk?: string;
}

/** Fields of `listjjtz`. */
export class RejectedListInput extends ListInput {
  /** Slug of the gateway. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(MAX_SLUG_LENGTH) jk?: string;
  @IsOptional() @IsIn(['', ...KINDS]) lx?: RejectedKind | '';
}

/** Fields of `jjtzsj`. */
export class RejectedInput {
  @RowId() id!: number;
}

/** Lists the payment log and rejected payment notifications. Source: docs/panel-api.md "Orders". */
@Injectable()
export class PaymentLogOperations {
  private readonly log: EntityPages<OperationLog>;

  constructor(
    database: Database,
    private readonly config: AppConfig,
    private readonly rejected: RejectedNotifications,
    private readonly methods: PaymentMethods,
  ) {
    this.log = new EntityPages(database, OperationLog);
  }

  /** Lists the payment log: every notification, and the gateways' own lines. */
  @Operation({ side: 'admin', gn: 'listzfrz', auth: 'admin', input: PaymentLogInput, audit: null, rate: 'read' })
  async list({ page, limit, sortOrder, ss, jk }: PaymentLogInput, ctx: CallContext): Promise<ListReply> {
    const conditions = ['{OperationLog.category} = ?'];
    const params = [PAYMENT_CATEGORY];
    if (jk) {
      conditions.push('{OperationLog.source} = ?');
      params.push(jk);
    }
    if (ss) {
      conditions.push('INSTR(LOWER({OperationLog.summary}), LOWER(?)) > 0');
      params.push(ss);
    }
    const found = await this.log.page({ conditions, params, sort: null, direction: sortOrder, offset: (page - 1) * limit, limit });
    const locale = localeOf(ctx.locale);
    const nameOf = this.methods.names(locale);
    const rows = found.rows.map((row) => {
      const { id, createdAt, source, summary, outcome, text, ip } = row;
      const [begin = '', before = '', slug = '', method] = (source === null && OWN_LINE.exec(summary)) || [];
      const jk = source ?? slug;
      const jkmc = jk && this.methods.gatewayName(jk, locale);
      const named = slug && before + (method === undefined ? jkmc : nameOf(payType(slug, method)));
      const lr = text ? translate(locale, text.key, { ...text.params, gateway: jkmc }) : named + summary.slice(begin.length);
      return { id, date: legacyTime(createdAt, this.config.timezone), jk, jkmc, lr, qk: levelIn(outcome ?? '', locale), ip };
    });
    return new ListReply(found.total, rows);
  }

  /** Lists rejected notifications. */
  @Operation({ side: 'admin', gn: 'listjjtz', auth: 'admin', input: RejectedListInput, audit: null, rate: 'read' })
  async listRejected({ page, limit, sortOrder, ss, jk, lx }: RejectedListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.rejected.page({ page, limit, sortOrder, gateway: jk, kind: lx, text: ss });
    return new ListReply(
      total,
      rows.map((row) => this.wire(row, localeOf(ctx.locale))),
    );
  }

  /** Returns a rejected notification with its content. */
  @Operation({ side: 'admin', gn: 'jjtzsj', auth: 'admin', input: RejectedInput, audit: null, rate: 'read' })
  async show({ id }: RejectedInput, ctx: CallContext): Promise<SuccessReply> {
    const row = await this.rejected.find(id);
    if (!row) throw new PaymentError('NOTIFICATION_NOT_FOUND');
    return new SuccessReply('payment.found', {
      notification: { ...this.wire(row, localeOf(ctx.locale)), nr: row.content, order_id: row.orderId },
    });
  }

  private wire(
    { id, gateway, kind, number, reason, texts, ip, times, firstAt, lastAt }: RejectedNotification,
    locale: Locale,
  ): Record<string, unknown> {
    const time = (at: Date): string => legacyTime(at, this.config.timezone);
    const own = texts ? sayTrace(texts, locale) : reason;
    const words = kind === 'settlement' ? translate(locale, `payment.settle.${reason}`) : own;
    const jkmc = this.methods.gatewayName(gateway, locale);
    return { id, jk: gateway, jkmc, lx: kind, ddh: number, yy: words, ip, cs: times, first: time(firstAt), date: time(lastAt) };
  }
}
