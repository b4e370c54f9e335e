import { Injectable } from '@nestjs/common';

import { Clock, localeOf, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { DeadLetters } from '../hooks/index.js';
import { BackgroundQueue, JobRegistry, JobRuns, jobKey } from '../jobs/index.js';
import { ListReply, NoInput, Operation } from '../operations/index.js';
import { API_VERSION, type CallContext } from '../sdk/index.js';

import {
  checkBackup,
  checkCertificates,
  checkClock,
  checkLeftOut,
  checkPlugins,
  checkRestored,
  checkVersion,
  sealedCheck,
} from './checks/check-database.js';
import { checkDataFolder, checkSecretKeyFile } from './checks/check-files.js';
import { fine, tell, warning, type Finding } from './checks/finding.js';

/** Only how many there are is asked. */
const LIST = { page: 1, limit: 1 };
/** Pages where more is told, by the name of the check. */
const PAGES: Readonly<Record<string, string>> = {
  plugins: '/admin/plugins',
  backup: '/admin/backups',
  certificates: '/admin/monitors',
  restored: '/admin/restored',
  events: '/admin/events',
  background: '/admin/background',
  jobs: '/admin/jobs',
};

/** A finding on the wire: every value text. */
interface HealthLine {
  /** Name of the check. */
  id: string;
  /** The same in words. */
  mc: string;
  /** `ok`, `warn` or `broken`. */
  zt: string;
  /** What was found. */
  nr: string;
  /** What to do; empty where all is well. */
  jy: string;
  /** Page where more is told; empty where there is none. */
  url: string;
}

/** How the installation stands: what `svc doctor` looks at, and what only the running panel knows. Source: docs/panel-api.md "Health". */
@Injectable()
export class HealthOperations {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly deadLetters: DeadLetters,
    private readonly queue: BackgroundQueue,
    private readonly jobs: JobRegistry,
    private readonly runs: JobRuns,
  ) {}

  @Operation({ side: 'admin', gn: 'jkjc', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async look(_input: NoInput, ctx: CallContext): Promise<ListReply<HealthLine>> {
    const locale = localeOf(ctx.locale);
    const findings = (await this.examine()).map((finding) => tell(finding, locale));
    return new ListReply(
      findings.length,
      findings.map(({ check, state, text, advice }) => ({
        id: check,
        mc: translate(locale, `health.check_${check.replace(/\W/g, '_')}`),
        zt: state,
        nr: text,
        jy: advice,
        url: PAGES[check] ?? '',
      })),
    );
  }

  private async examine(): Promise<Finding[]> {
    const { engine } = this.database;
    const readable = { engine, query: <Row>(sql: string): Promise<Row[]> => this.database.query(sql) as Promise<Row[]> };
    const now = this.clock.now();
    return [
      fine('versions', 'versions', { panel: API_VERSION, node: process.versions.node }),
      await checkVersion(readable),
      ...checkDataFolder(this.config),
      checkSecretKeyFile(this.config, await sealedCheck(readable)),
      await checkClock(readable, now),
      ...(await checkBackup(readable, now)),
      ...(await checkLeftOut(readable)),
      ...(await checkCertificates(readable)),
      ...(await checkRestored(readable)),
      ...(await checkPlugins(readable)),
      await this.events(),
      await this.background(),
      await this.lastRuns(),
    ];
  }

  private async events(): Promise<Finding> {
    const [dead, { total: waiting }] = await Promise.all([this.deadLetters.count(), this.deadLetters.waitingPage(LIST)]);
    return dead === 0 ? fine('events', 'events', { waiting }) : warning('events', 'events_dead', { count: dead, waiting }, 'events_advice');
  }

  private async background(): Promise<Finding> {
    if (!this.queue.available) return warning('background', 'queue_away', {}, 'queue_away_advice');
    const [waiting, failed] = await Promise.all([this.queue.list({ state: 'waiting' }, LIST), this.queue.list({ state: 'failed' }, LIST)]);
    const counts = { waiting: waiting.total, failed: failed.total };
    return failed.total === 0 ? fine('background', 'tasks', counts) : warning('background', 'tasks', counts, 'tasks_advice');
  }

  private async lastRuns(): Promise<Finding> {
    const runs = await Promise.all(this.jobs.list().map(async (job) => ({ name: jobKey(job), run: await this.runs.last(jobKey(job)) })));
    const failed = runs.filter(({ run }) => typeof run?.error === 'string').map(({ name }) => name);
    return failed.length === 0
      ? fine('jobs', 'jobs', { count: runs.length })
      : warning('jobs', 'jobs_failed', { names: failed.slice(0, 5).join(', ') }, 'jobs_advice');
  }
}
