import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock, errorMessage, loggerFor, TurnBudget } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { AccountDrivers, driverError } from '../accounts/index.js';
import { callDriver, DriverNodes, DriverRegistry, succeeded } from '../driver/index.js';
import { HostingAccount, HostingNode } from '../entities/index.js';

import { LogLines } from './log-lines.js';
import { StatisticRepository } from './statistic-repository.js';
import { TallyCounter } from './tally.js';

const log = loggerFor('hosting');
const BATCH = 100;
/** Overlap with the previous query for changed logs, in milliseconds, because the clocks of servers differ. */
const OVERLAP_MS = 60_000;
/** Maximum parts of one site's log counted in a run, so that it does not delay other sites; the rest is counted in the next run. */
const MAX_PARTS = 400;

/** Counts the logs of servers, within a minute. */
@Injectable()
export class StatisticCollector {
  /** When each server was last queried for changed logs; without an entry, all logs are read. */
  private readonly lastQueried = new Map<string, Date>();
  /** Sites whose log was not completely counted in a run, by server. */
  private readonly unfinished = new Map<string, Set<string>>();

  constructor(
    private readonly database: Database,
    private readonly registry: DriverRegistry,
    private readonly drivers: AccountDrivers,
    private readonly nodes: DriverNodes,
    private readonly repository: StatisticRepository,
    private readonly lines: LogLines,
    private readonly clock: Clock,
  ) {}

  /**
   * May run in several processes at the same time: each part of a log is counted by one.
   *
   * @returns number of parts counted by this process
   */
  @Job({ name: 'site-statistics', everyMinutes: 1 })
  async run(turn?: JobTurn): Promise<number> {
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true }, order: { id: 'ASC' } });
    let count = 0;
    for (const node of nodes) {
      turn?.signal.throwIfAborted();
      try {
        count += await this.ofNode(node, turn);
      } catch (error) {
        turn?.signal.throwIfAborted();
        log.warn({ reason: errorMessage(error), node: node.code }, 'the logs of a server could not be read');
      }
    }
    return count;
  }

  private async ofNode(node: HostingNode, turn?: JobTurn): Promise<number> {
    const port = this.registry.find(node.driver)?.statistics;
    if (!port) return 0;
    const now = this.clock.now();
    const last = this.lastQueried.get(node.code);
    const since = last ? new Date(last.getTime() - OVERLAP_MS) : null;
    const grown = await callDriver((deadline) => port.grown(this.nodes.of(node), since, deadline));
    if (!succeeded(grown)) throw driverError(grown);
    const left = this.unfinished.get(node.code) ?? new Set();
    this.unfinished.set(node.code, new Set());
    const names = [...new Set([...left, ...grown.value])];
    let count = 0;
    for (let start = 0; start < names.length; start += BATCH) {
      const siteName = In(names.slice(start, start + BATCH));
      const accounts = await this.database.repository(HostingAccount).find({ where: { siteName, nodeCode: node.code } });
      for (const account of accounts) {
        turn?.signal.throwIfAborted();
        count += await this.ofSite(account).catch((error: unknown) => {
          log.warn({ reason: errorMessage(error), account: account.id }, 'the log of a site could not be counted');
          this.unfinished.get(node.code)!.add(account.siteName);
          return 0;
        });
      }
    }
    this.lastQueried.set(node.code, now);
    return count;
  }

  /** Counts the new part of a site's log. @throws HostingError by the outcome of the server call */
  private async ofSite(account: HostingAccount): Promise<number> {
    const { driver, account: known } = await this.drivers.of(account);
    const port = driver.statistics;
    if (!port) return 0;
    let ownNames: ReadonlySet<string> | undefined;
    for (let parts = 0; parts < MAX_PARTS; parts += 1) {
      const from = await this.repository.positionOf(account.id);
      const part = await callDriver((deadline) => port.read(known, from, deadline));
      if (!succeeded(part)) throw driverError(part);
      const { text, next } = part.value;
      if (next === from) return parts;
      ownNames ??= await this.lines.namesOf(account);
      const counter = new TallyCounter(ownNames);
      // Yields the event loop in between, because a part has several thousand lines.
      const budget = new TurnBudget();
      for (const line of text.split('\n')) {
        const entry = this.lines.read(line);
        if (entry) counter.add(entry);
        if (!budget.isLeft) await budget.take();
      }
      if (!(await this.repository.add(account.id, from, next, counter))) return parts;
    }
    this.unfinished.get(account.nodeCode)?.add(account.siteName);
    return MAX_PARTS;
  }
}
