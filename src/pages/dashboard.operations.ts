import { statfs } from 'node:fs/promises';
import { freemem, hostname, loadavg, totalmem, type } from 'node:os';

import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { Clock, legacyTime, toYuan } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { NoInput, Operation, SuccessReply, WholeNumber } from '../operations/index.js';
import { API_VERSION } from '../sdk/index.js';

import { BusinessNumbers } from './business-numbers.js';
import { DashboardNumbers } from './dashboard-numbers.js';

class NumbersInput {
  /** Number of days in the chart. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(366) days = 30;
}

/** Dashboard data for API clients. Source: docs/panel-api.md "Dashboard". */
@Injectable()
export class DashboardOperations {
  constructor(
    private readonly numbers: DashboardNumbers,
    private readonly business: BusinessNumbers,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  /** Returns figures and the income by day; amounts in yuan. */
  @Operation({ side: 'admin', gn: 'tjsy', auth: 'admin', input: NumbersInput, audit: null, rate: 'read' })
  async read({ days }: NumbersInput): Promise<SuccessReply> {
    const { income, income_today, ...counts } = await this.numbers.stats();
    const {
      days: chart,
      sold,
      income: net,
      refunded,
      orders_open_sum,
      orders: paid,
      first,
      last,
      ...business
    } = await this.business.last(days);
    return new SuccessReply('web.dashboard', {
      ...counts,
      income: toYuan(income),
      income_today: toYuan(income_today),
      business: {
        first,
        last,
        orders: paid,
        income: toYuan(net),
        refunded: toYuan(refunded),
        orders_open_rmb: toYuan(orders_open_sum),
        ...business,
        sold: sold.map(({ income: fen, ...one }) => ({ ...one, income: toYuan(fen) })),
      },
      chart: chart.map(({ day, income: fen, refunded: back, orders }) => ({ day, income: toYuan(fen), refunded: toYuan(back), orders })),
    });
  }

  /** Returns system information, under the names used by older themes. */
  @Operation({ side: 'admin', gn: 'system_info', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async system(): Promise<SuccessReply> {
    const { hosts, nodes, orders } = await this.numbers.stats();
    const memory = process.memoryUsage();
    const now = this.clock.now();
    return new SuccessReply('web.dashboard', {
      hosts,
      bt_panels: nodes,
      nodes,
      orders,
      os: type(),
      hostname: hostname(),
      server_soft: `Node.js ${process.version}`,
      server_port: this.config.port,
      server_time: legacyTime(now, this.config.timezone),
      timezone: this.config.timezone,
      mem_current: memory.rss,
      mem_total: totalmem(),
      mem_free: freemem(),
      load_avg: loadavg().map((load) => Math.round(load * 100) / 100),
      ...(await diskOf(this.config.dataDir)),
      web_version: API_VERSION,
      db_version: this.database.engine,
    });
  }
}

/** Returns the usage of the data disk, in bytes. */
async function diskOf(folder: string): Promise<object> {
  const { bsize, blocks, bavail } = await statfs(folder);
  const [total, free] = [blocks * bsize, bavail * bsize];
  return { disk_total: total, disk_free: free, disk_used: total - free, disk_pct: Math.round(((total - free) / total) * 100) };
}
