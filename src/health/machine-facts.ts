import { Injectable } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { localeOf, translate } from '../common/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../operations/index.js';

/** Used fields of the response to `system_info`. */
interface SystemFacts extends Record<'hostname' | 'os' | 'server_soft' | 'db_version' | 'server_time' | 'timezone', string> {
  readonly load_avg: readonly number[];
  /** Bytes. */
  readonly mem_free: number;
  readonly mem_total: number;
  readonly mem_current: number;
  readonly disk_free: number;
  readonly disk_total: number;
}

/** Describes the machine the panel runs on. */
@Injectable()
export class MachineFacts {
  constructor(private readonly pipeline: OperationPipeline) {}

  /** Returns the facts of `system_info` as rows; empty without permission for that operation. */
  async of(call: RequestContext): Promise<{ name: string; value: string }[]> {
    if (!accessOf(call.admin).allows('system_info')) return [];
    const { extras } = (await this.pipeline.show('admin', 'system_info', {}, call)) as SuccessReply;
    const facts = extras as unknown as SystemFacts;
    const locale = localeOf(call.locale);
    const used = (free: number, total: number): string => translate(locale, 'health.free_of', { free: inGb(free), total: inGb(total) });
    const rows: readonly [name: string, value: string][] = [
      ['host', `${facts.hostname} (${facts.os})`],
      ['software', `${facts.server_soft}, ${facts.db_version}`],
      ['time', `${facts.server_time} (${facts.timezone})`],
      ['memory', used(facts.mem_free, facts.mem_total)],
      ['process', inGb(facts.mem_current)],
      ['load', facts.load_avg.join(' · ')],
      ['disk', used(facts.disk_free, facts.disk_total)],
    ];
    return rows.map(([name, value]) => ({ name: translate(locale, `health.machine_${name}`), value }));
  }
}

/** Formats bytes as gigabytes. */
const inGb = (bytes: number): string => `${(bytes / 1_073_741_824).toFixed(1)} GB`;
