import { Injectable } from '@nestjs/common';

import { checkVersion, nextVersion } from '../../http/index.js';
import { SuccessReply, NoInput, Operation, RawReply } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { AgentError } from '../agent-error.js';
import { QuarantineList, scanForm, ScanSettings, ScanStarter } from '../scans/index.js';

import { ScanSettingsInput } from './node-inputs.js';
import { isFolder } from './scan-folder.js';

const MEGABYTE = 1024 * 1024;

/** Administrators' operations on scan settings and their consequences. Source: docs/panel-api.md "Scans". */
@Injectable()
export class ScanSettingsOperations {
  constructor(
    private readonly scanSettings: ScanSettings,
    private readonly starter: ScanStarter,
    private readonly settings: SiteSettings,
    private readonly quarantine: QuarantineList,
  ) {}

  @Operation({ side: 'admin', gn: 'get_global_keywords', auth: 'admin', input: NoInput, audit: null, rate: 'read', numericCode: true })
  globalKeywords(): RawReply {
    return new RawReply({ success: true, qk: 1, code: 1, msg: 'ok', data: this.scanSettings.keywords().join('\n') });
  }

  /** @throws AgentError SCAN_ROOT_FORM, QUARANTINE_NOBODY */
  @Operation({
    side: 'admin',
    gn: 'savescancfg',
    auth: 'admin',
    input: ScanSettingsInput,
    audit: 'node.audit_settings',
    rate: 'write',
    numericCode: true,
  })
  async saveSettings(input: ScanSettingsInput): Promise<SuccessReply> {
    if (input.sml && !isFolder(input.sml)) throw new AgentError('SCAN_ROOT_FORM');
    if (input.sgl && !(await this.quarantine.someoneCan())) throw new AgentError('QUARANTINE_NOBODY');
    const values = {
      scanKeywords: input.snr,
      scanChangedOnly: input.sgbfx,
      scanRoot: input.sml || undefined,
      scanSkippedFolders: input.stqml,
      scanSkippedSuffixes: input.stqhz,
      scanMaxFileBytes: input.sdzmax === undefined ? undefined : input.sdzmax * MEGABYTE,
      scanMaxMatches: input.sdhmax,
      fullScanEnabled: input.sqzcskg,
      fullScanCron: input.sqzcs?.trim(),
      scanNoticeFrom: input.stz,
      scanPauseFrom: input.szt,
      scanQuarantine: input.sgl,
      quarantineDays: input.sglts,
      scanEnabled: input.skg === false ? false : undefined,
    };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    await this.settings.change(given, (row) => checkVersion(input.row_version, scanForm(row)));
    const nodes = input.skg ? await this.starter.enable() : 0;
    const extras = nextVersion(input.row_version, scanForm(this.settings.current));
    return nodes > 0
      ? new SuccessReply('node.settings_saved_scans', extras, { n: nodes })
      : new SuccessReply('node.settings_saved', extras);
  }
}
