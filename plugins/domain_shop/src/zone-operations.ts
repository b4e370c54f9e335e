import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  amountText,
  NamesService,
  readAmount,
  SVC_FACADE,
  type AjaxResult,
  type CallContext,
  type NameZone,
  type NameZoneTerms,
  type SvcFacade,
} from '@svc/sdk';

import { isRefusal } from './refusals.js';

/** Maximum number of ids per call. */
const MAX_IDS = 1_000;

/** Zone management under the operation names of older programs; the panel's own page is **Names for customers**. */
@Injectable()
export class ZoneOperations implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(NamesService) private readonly names: NamesService,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    const write = (needs: string, audit: string) => ({ rate: 'write', needs, audit }) as const;
    svc.svc_register_ajax('admin', 'p_domain_listym', (ctx) => this.list(ctx), 'admin', { rate: 'read', needs: 'listym' });
    svc.svc_register_ajax('admin', 'p_domain_addym', (ctx) => this.add(ctx), 'admin', write('addym', 'audit.zone_added'));
    svc.svc_register_ajax('admin', 'p_domain_xgym', (ctx) => this.change(ctx), 'admin', write('xgym', 'audit.zone_changed'));
    svc.svc_register_ajax(
      'admin',
      'p_domain_ymsc',
      (ctx) => this.remove(ctx, [wholeOf(ctx.body.id)]),
      'admin',
      write('ymsc', 'audit.zone_deleted'),
    );
    svc.svc_register_ajax(
      'admin',
      'p_domain_ymscxz',
      (ctx) => this.remove(ctx, idsOf(ctx.body.idsz)),
      'admin',
      write('ymscxz', 'audit.zone_deleted'),
    );
  }

  private async list(ctx: CallContext): Promise<AjaxResult> {
    const zones = await this.names.zones();
    const size = Math.min(Math.max(wholeOf(ctx.body.limit) || 20, 1), 200);
    const at = (Math.max(wholeOf(ctx.body.page) || 1, 1) - 1) * size;
    return { total: zones.length, rows: zones.slice(at, at + size).map(rowOf) };
  }

  private add(ctx: CallContext): Promise<AjaxResult> {
    const { url = '', bt = '' } = ctx.body;
    return answered(ctx, 'zone_added', async () => ({ id: await this.names.addZone(url.trim(), bt.trim(), termsOf(ctx)) }));
  }

  private change(ctx: CallContext): Promise<AjaxResult> {
    return answered(ctx, 'zone_saved', async () => {
      await this.names.changeZone(wholeOf(ctx.body.id), termsOf(ctx));
      return {};
    });
  }

  private remove(ctx: CallContext, ids: readonly number[]): Promise<AjaxResult> {
    return answered(ctx, 'zones_removed', async () => {
      const { removed, used } = await this.names.removeZones(ids);
      if (removed.length === 0 && used.length > 0) throw new FieldProblem('zone_used', 'id');
      return { removed, used };
    });
  }
}

/** An invalid field, with the key of its error text. */
class FieldProblem extends Error {
  constructor(
    readonly key: string,
    readonly field: string,
  ) {
    super(key);
  }
}

async function answered(ctx: CallContext, done: string, work: () => Promise<object>): Promise<AjaxResult> {
  try {
    const data = await work();
    const text = ctx.t(done);
    return { success: true, qk: 1, code: text, msg: text, data, ...data };
  } catch (error) {
    if (!(error instanceof FieldProblem) && !isRefusal(error)) throw error;
    const text = error instanceof FieldProblem ? ctx.t(error.key) : error.message;
    return { success: false, qk: 4, code: text, msg: text, err: 'E_ARGS', data: null, fields: error.field ? { [error.field]: text } : {} };
  }
}

/** Reads the submitted fields of the form. */
function termsOf({ body }: CallContext): NameZoneTerms {
  const { jg, js, ymjs, kg, channel, provider_id: provider, ys } = body;
  const price = jg === undefined || jg.trim() === '' ? undefined : readAmount(jg);
  if (price === null || (price ?? 0) < 0 || (price ?? 0) > 1_000_000_000) throw new FieldProblem('bad_price', 'jg');
  if (channel !== undefined && channel !== 'pan' && channel !== 'dnsapi') throw new FieldProblem('bad_channel', 'channel');
  if (ys !== undefined && !/^(?:\d{1,2}|1[01]\d|120)$/.test(ys)) throw new FieldProblem('bad_months', 'ys');
  const terms: NameZoneTerms = {
    price,
    description: (ymjs ?? js)?.trim().slice(0, 255),
    onSale: kg === undefined ? undefined : kg === 'true' || kg === '1' || kg === 'on',
    channel,
    provider: channel === 'pan' || provider === undefined ? undefined : wholeOf(provider),
    // Omitted: a new zone's names do not expire, and an existing zone keeps its value.
    months: ys === undefined ? undefined : Number(ys),
  };
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
}

function rowOf({ id, domain, node, price, months, onSale, description, channel, provider, createdAt }: NameZone): object {
  const words = { js: description, ymjs: description };
  const state = { qk: String(onSale), kg: String(onSale) };
  return {
    id,
    url: domain,
    btdh: node,
    bt: node,
    jg: amountText(price),
    ys: months,
    ...words,
    ...state,
    channel,
    provider_id: provider,
    date: createdAt,
  };
}

const wholeOf = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0);

/** Parses `idsz[]`, as nested fields or a list of numbers. */
function idsOf(text: string | undefined): number[] {
  return (text ?? '')
    .split(/[^\d]+/)
    .map(wholeOf)
    .filter((id) => id > 0)
    .slice(0, MAX_IDS);
}
