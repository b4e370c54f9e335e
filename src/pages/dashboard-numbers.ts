import { Injectable } from '@nestjs/common';

import { startOfDay } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database, toSqlTime } from '../database/index.js';
import { ONLINE_MS } from '../agents/index.js';
import { OrderList } from '../payment/index.js';

/**
 * Cache lifetime of the numbers, as a multiple of the time counting took, and its maximum in milliseconds. A small panel counts on
 * every view, so that the numbers always match the orders below; with 100,000 rows counting would take longer than the page.
 */
const CACHE_FACTOR = 50;
const MAX_CACHE_MS = 10_000;

interface Numbers {
  hosts: number;
  hosts_active: number;
  nodes: number;
  nodes_online: number;
  orders: number;
  orders_paid: number;
  /** Fen. */
  income: number;
  /** Fen. */
  income_today: number;
}

/** Figures of the admin dashboard. */
@Injectable()
export class DashboardNumbers {
  /** `until` is in `performance.now()` time, which is not affected by clock changes. */
  private kept: { numbers: Numbers; until: number } | null = null;
  private readonly hosts;
  private readonly nodes;
  private readonly orders;
  private readonly income;

  constructor(
    database: Database,
    private readonly orderList: OrderList,
    private readonly clock: ZonedClock,
  ) {
    this.hosts = database.statement<{ total: number; active: number }>(
      "SELECT COUNT(*) AS total, SUM(CASE WHEN {HostingAccount.state} = 'active' THEN 1 ELSE 0 END) AS active FROM {HostingAccount}",
    );
    this.nodes = database.statement<{ total: number; online: number }>(
      `SELECT (SELECT COUNT(*) FROM {HostingNode}) AS total,
        (SELECT COUNT(*) FROM {HostingNode} b WHERE b.{HostingNode.enabled} = 1 AND (b.{HostingNode.driver} = 'embedded'
          OR EXISTS (SELECT 1 FROM {AgentNode} a WHERE a.{AgentNode.hostingNodeId} = b.{HostingNode.id}
            AND a.{AgentNode.enabled} = 1 AND a.{AgentNode.lastHeartbeatAt} >= ?))) AS online`,
    );
    this.orders = database.statement<{ total: number; paid: number }>(
      "SELECT COUNT(*) AS total, SUM(CASE WHEN {Order.status} IN ('paid', 'partly_refunded') THEN 1 ELSE 0 END) AS paid FROM {Order}",
    );
    // Converted to fen before summing: sums of floating-point yuan lose precision.
    this.income = database.statement<{ total: number; today: number }>(
      `SELECT SUM(ROUND({PaymentTransaction.amount} * 100)) AS total,
        SUM(CASE WHEN {PaymentTransaction.createdAt} >= ? THEN ROUND({PaymentTransaction.amount} * 100) ELSE 0 END) AS today
        FROM {PaymentTransaction}`,
    );
  }

  /** Returns the figures, at most ten seconds old. */
  async stats(): Promise<Numbers> {
    const begun = performance.now();
    if (this.kept && this.kept.until > begun) return this.kept.numbers;
    const now = this.clock.now();
    const [hosts, nodes, orders, income] = await Promise.all([
      this.hosts.get(),
      this.nodes.get(toSqlTime(new Date(now.getTime() - ONLINE_MS))),
      this.orders.get(),
      this.income.get(toSqlTime(startOfDay(now, this.clock.timezone))),
    ]);
    const numbers: Numbers = {
      hosts: Number(hosts?.total ?? 0),
      hosts_active: Number(hosts?.active ?? 0),
      nodes: Number(nodes?.total ?? 0),
      nodes_online: Number(nodes?.online ?? 0),
      orders: Number(orders?.total ?? 0),
      orders_paid: Number(orders?.paid ?? 0),
      income: Number(income?.total ?? 0),
      income_today: Number(income?.today ?? 0),
    };
    const done = performance.now();
    this.kept = { numbers, until: done + Math.min((done - begun) * CACHE_FACTOR, MAX_CACHE_MS) };
    return numbers;
  }

  /** Returns the newest orders for the dashboard. */
  async latestOrders(): Promise<object[]> {
    const { orders } = await this.orderList.page({ page: 1, limit: 3, sortOrder: 'desc' });
    return orders.map((order) => ({
      number: order.number,
      user: order.user,
      name: order.name,
      amount: order.amount,
      status: order.status,
      created_at: order.createdAt.toISOString(),
    }));
  }
}
