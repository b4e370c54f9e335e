import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import type { ActionName } from '../../../src/agents/wire/actions.js';
import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { LogFiles } from '../log-files.js';
import type { ActionHandlers, ActionContext } from './actions/action-handlers.js';
import { agentLogActions } from './actions/agent-log-actions.js';
import { archiveActions } from './actions/archive-actions.js';
import { commandActions } from './actions/command-actions.js';
import { credentialActions } from './actions/credential-actions.js';
import { databaseActions } from './actions/database-actions.js';
import { fileActions } from './actions/file-actions.js';
import { logActions } from './actions/log-actions.js';
import { type ActionReport, type AnyHandler, runAction } from './actions/run-action.js';
import { serverActions } from './actions/server-actions.js';
import { settingActions } from './actions/setting-actions.js';
import { siteActions } from './actions/site-actions.js';
import { sqlActions } from './actions/sql-actions.js';
import { Archives } from './archives/archives.js';
import { clearRestore, finishSwitch } from './users/switch-site.js';
import { Certificates } from './certificates/certificates.js';
import { CommandClock } from './commands/command-clock.js';
import { CommandRuns } from './commands/command-runs.js';
import { endOrphans } from './commands/orphans.js';
import { AdminerAccess } from './database/adminer-access.js';
import { Databases } from './database/databases.js';
import type { HostingConfig } from '../config/hosting-config.js';
import { SiteLogs } from './logs/site-logs.js';
import { Traffic } from './logs/traffic.js';
import { Nginx } from './nginx/nginx.js';
import { PhpPools } from './php/php-pools.js';
import { DirectServices } from './services/direct-services.js';
import { SystemdServices } from './services/systemd-services.js';
import { Sftp } from './sftp/sftp.js';
import { DebianSystem } from './sites/debian-system.js';
import { SiteKeeper } from './sites/site-keeper.js';
import type { SiteRecord } from './records/site-record.js';
import { SiteRecords } from './records/site-records.js';
import { SiteFolders } from './users/site-folders.js';
import { SystemUsers } from './users/system-users.js';
import { welcomePage } from './welcome-page.js';
import { SiteWorkers } from './work/site-workers.js';

/** How often logs are rotated and traffic is counted, in milliseconds. */
const CARE_EVERY_MS = 60_000;
/** Time limit for removing the files an interrupted restore left in a site, in milliseconds. */
const CLEAR_MS = 600_000;

/** Dependencies of {@link Hosting}. */
export interface HostingParts {
  readonly config: HostingConfig;
  readonly stateDir: string;
  /** File of the agent's program. */
  readonly program: string;
  readonly log: Log;
  readonly logFiles: LogFiles;
  readonly now?: () => number;
}

/** Hosting of sites on this server: all panel actions and the periodic maintenance. */
export class Hosting {
  private caredAt = 0;
  /** Running maintenance of logs and traffic. */
  private caring: Promise<unknown> | null = null;

  private constructor(
    private readonly handlers: Readonly<Record<ActionName, AnyHandler>>,
    private readonly keeper: SiteKeeper,
    private readonly clock: CommandClock,
    private readonly logs: SiteLogs,
    private readonly traffic: Traffic,
    private readonly parts: Required<HostingParts>,
  ) {}

  /**
   * Sets up what all sites share and completes changes that a crash interrupted.
   *
   * @throws HostRefusal if this server cannot host sites
   */
  static async open({ now = Date.now, ...given }: HostingParts): Promise<Hosting> {
    const { config, stateDir, program, log, logFiles } = given;
    const services = existsSync('/run/systemd/system') ? new SystemdServices() : new DirectServices(config.settings, config.run);
    const records = await SiteRecords.open(stateDir);
    const users = new SystemUsers(config.root);
    const folders = new SiteFolders(config);
    const door = new AdminerAccess(config);
    const databases = new Databases(config.databaseSocket);
    const php = new PhpPools(config, services, (await door.isOffered()) ? door.folder : null);
    const nginx = new Nginx(config, services);
    const sftp = new Sftp(config, users, services);
    const certificates = new Certificates(config, folders);
    const runs = new CommandRuns(stateDir);
    const logs = new SiteLogs(folders, services, now);
    const traffic = new Traffic(stateDir, logs);
    const system = new DebianSystem({ config, users, folders, php, nginx, sftp, databases, certificates, door });
    const keeper = new SiteKeeper(
      records,
      {
        apply: (site) => system.apply(site),
        hide: (site) => system.hide(site),
        remove: (site) => removeAll(site, system, runs, traffic),
      },
      log,
    );
    const workers = new SiteWorkers(program, (site) => folders.home(site));
    const clock = new CommandClock(records, workers, runs, endOrphans, log, now);
    const archives = new Archives(config.archives, folders);
    const work = pagesOf(workers);
    const handlers: ActionHandlers<ActionName> = {
      ...serverActions(config, php, databases, door),
      ...siteActions({ keeper, sftp, databases, firstUid: config.firstUid, ...work }),
      ...settingActions({ keeper, certificates, nginx, php, sftp, sftpPort: config.sftpPort }),
      ...credentialActions({ keeper, sftp, databases }),
      ...databaseActions(keeper, databases),
      ...sqlActions({ keeper, databases, archives, workers, door, php }),
      ...fileActions(keeper, workers),
      ...archiveActions({ keeper, archives, folders, workers }),
      ...logActions(keeper, logs, traffic),
      ...commandActions(keeper, clock, runs),
      ...agentLogActions(log, logFiles),
    };
    await system.prepare();
    void databases.learnFolder();
    await archives.sweep();
    for (const site of records.all()) await finishSwitch(folders, site);
    const hosting = new Hosting(handlers as unknown as Readonly<Record<ActionName, AnyHandler>>, keeper, clock, logs, traffic, {
      ...given,
      now,
    });
    await keeper.recover();
    const unfinished = new Set(records.pending().map(({ record }) => record));
    const whole = records.all().filter((site) => !unfinished.has(site));
    try {
      for (const [site, { message }] of await system.renew(whole))
        log.warning(`A site keeps its previous virtual hosts until it is changed: ${message}`, { site: site.name });
    } catch (error) {
      log.warning(`Sites keep their previous virtual hosts until they are changed: ${messageOf(error)}`);
    }
    // Removes keys of certificate changes that were interrupted before they were stored.
    for (const site of whole) await certificates.tidy(site);
    for (const site of records.all())
      await clearRestore(folders, site, (folder) => workers.run(site, 'empty', { folder }, { leftMs: CLEAR_MS })).catch((error: unknown) =>
        log.warning(`Files left by a backup could not be removed: ${messageOf(error)}`, { site: site.name }),
      );
    return hosting;
  }

  /** Runs an action. */
  run(task: Parameters<typeof runAction>[1], context: ActionContext): Promise<ActionReport> {
    return runAction(this.handlers, task, context);
  }

  /** Creates a file path for an incoming body, outside the reach of sites. */
  async spool(): Promise<{ file: string; drop: () => Promise<void> }> {
    const folder = path.join(this.parts.config.archives, '.bodies');
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `.body-${randomBytes(8).toString('hex')}`);
    return { file, drop: () => fs.rm(file, { force: true }) };
  }

  /** Runs scheduled commands and maintains logs and traffic. Called every few seconds. */
  tick(stop: AbortSignal): void {
    // Not awaited: a command may take an hour, and those of the next minute must still start.
    void this.clock.tick(stop);
    if (this.caring || this.parts.now() - this.caredAt < CARE_EVERY_MS) return;
    this.caredAt = this.parts.now();
    this.caring = this.care(stop)
      .catch((error: unknown) => this.parts.log.warning(`Maintenance of site logs failed: ${messageOf(error)}`))
      .finally(() => (this.caring = null));
  }

  /** Waits for scheduled commands and log maintenance. */
  async idle(): Promise<void> {
    await Promise.all([this.clock.idle(), this.caring]);
  }

  /** Only traffic is counted under the site's lock: packing large logs takes minutes and would block the site. */
  private async care(stop: AbortSignal): Promise<void> {
    const sites = this.keeper.records.all();
    for (const site of sites) {
      if (stop.aborted) return;
      await this.keeper.withLock(site.name, () => this.traffic.count(site));
    }
    await this.logs.care(sites, stop);
  }
}

async function removeAll(site: SiteRecord, system: DebianSystem, runs: CommandRuns, traffic: Traffic): Promise<void> {
  await system.remove(site);
  await runs.forget(site, null);
  await traffic.forget(site);
}

function pagesOf(workers: SiteWorkers): Pick<Parameters<typeof siteActions>[0], 'webBytes' | 'isUntouched' | 'welcome'> {
  return {
    webBytes: async (site, stop) => Number((await workers.run(site, 'used', {}, { stop })).bytes),
    isUntouched: async (site, stop) =>
      (await workers.run(site, 'untouched', { page: welcomePage(site.username) }, { stop })).files === true,
    welcome: async (site) =>
      void (await workers.run(site, 'welcome', { page: welcomePage(site.username) }, { stop: AbortSignal.timeout(20_000) })),
  };
}
