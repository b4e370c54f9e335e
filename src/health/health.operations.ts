import { Injectable } from '@nestjs/common';

import { Clock, localeOf, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
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
import { fine, translateFinding, type HealthFinding } from './checks/finding.js';
import { RunningChecks } from './checks/running-checks.js';

/** Detail pages by the name of the check. */
const PAGES: Readonly<Record<string, string>> = {
  plugins: '/admin/plugins',
  backup: '/admin/backups',
  certificates: '/admin/monitors',
  restored: '/admin/restored',
  events: '/admin/events',
  background: '/admin/background',
  jobs: '/admin/jobs',
};

/** A finding on the wire; all values are text. */
interface HealthLine {
  /** Name of the check. */
  id: string;
  /** Its title. */
  mc: string;
  /** `ok`, `warn` or `broken`. */
  zt: string;
  /** Result text. */
  nr: string;
  /** Advice; empty if everything is fine. */
  jy: string;
  /** Detail page; empty for none. */
  url: string;
}

/** Health of the installation: the checks of `svc doctor` and those of the running panel. Source: docs/panel-api.md "Health". */
@Injectable()
export class HealthOperations {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly running: RunningChecks,
  ) {}

  @Operation({ side: 'admin', gn: 'jkjc', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async check(_input: NoInput, ctx: CallContext): Promise<ListReply<HealthLine>> {
    const locale = localeOf(ctx.locale);
    const findings = (await this.examine()).map((finding) => translateFinding(finding, locale));
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

  private async examine(): Promise<HealthFinding[]> {
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
      ...(await this.running.examine()),
    ];
  }
}
