import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, MoreThan, type Repository } from 'typeorm';

import { Clock, errorMessage, loggerFor, wordsOf, type StrikeKind } from '../common/index.js';

import { PluginStrike } from './entities/index.js';
import { InstalledPlugins } from './installed-plugins.js';

const log = loggerFor('plugins');

/** Number of strikes … */
const LIMIT = 3;
/** … within this time, in milliseconds, that quarantine a plugin. */
const WINDOW_MS = 10 * 60_000;

/** Counts strikes of plugins in the database, so that those before a restart and those in other processes count as well. */
@Injectable()
export class Quarantine {
  /** Pending writes by slug: a timer that throws every millisecond must not queue up writes. */
  private readonly writing = new Map<string, number>();

  constructor(
    @InjectRepository(PluginStrike) private readonly strikes: Repository<PluginStrike>,
    private readonly clock: Clock,
    private readonly installed: InstalledPlugins,
  ) {}

  /**
   * Records a strike; the third within ten minutes quarantines the plugin in every process.
   *
   * @returns whether this strike put it into quarantine
   */
  async strike(slug: string, kind: StrikeKind, place: string, error: unknown): Promise<boolean> {
    const queued = this.writing.get(slug) ?? 0;
    if (queued >= LIMIT) return false;
    this.writing.set(slug, queued + 1);
    try {
      return await this.write(slug, kind, place.slice(0, 200), error);
    } finally {
      const left = this.writing.get(slug)! - 1;
      if (left > 0) this.writing.set(slug, left);
      else this.writing.delete(slug);
    }
  }

  /** Clears the strikes of a plugin. */
  async clear(slug: string): Promise<void> {
    await this.strikes.delete({ slug });
  }

  private async write(slug: string, kind: StrikeKind, place: string, error: unknown): Promise<boolean> {
    const message = errorMessage(error).slice(0, 500);
    const now = this.clock.now();
    const since = new Date(now.getTime() - WINDOW_MS);
    await this.strikes.insert({ slug, kind, place, message, struckAt: now });
    await this.strikes.delete({ slug, struckAt: LessThan(since) });
    const count = await this.strikes.countBy({ slug, struckAt: MoreThan(since) });
    if (count < LIMIT) return false;
    const isNew = await this.installed.quarantine(slug, now, { key: 'plugins.at_place', params: { place, reason: wordsOf(error) } });
    if (isNew)
      log.error(
        { plugin: slug, strikes: count, place, reason: message },
        'a plugin is disabled: it had three uncaught failures within ten minutes',
      );
    await this.strikes.delete({ slug });
    return isNew;
  }
}
