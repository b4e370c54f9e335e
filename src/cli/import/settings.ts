import { SiteConfig } from '../../site/index.js';
import { MAIL_PASSWORD_PLACE } from '../../notify/index.js';

import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';

type Values = Partial<Omit<SiteConfig, 'id'>>;
type Setting = (row: LegacyRow, column: string, context: ImportContext) => Values;

const text =
  (name: keyof SiteConfig, max: number): Setting =>
  (row, column) => ({ [name]: row.short(column, max) });
const longText =
  (name: keyof SiteConfig): Setting =>
  (row, column) => ({ [name]: row.long(column) });
/** True only if explicitly on. */
const on =
  (name: keyof SiteConfig): Setting =>
  (row, column) => ({ [name]: row.text(column) === 'true' });
/** True unless explicitly off. */
const notOff =
  (name: keyof SiteConfig): Setting =>
  (row, column) => ({ [name]: row.text(column) !== 'false' });
const number =
  (name: keyof SiteConfig): Setting =>
  (row, column) => ({ [name]: row.integer(column) });
const key =
  (name: keyof SiteConfig): Setting =>
  (row, column) => {
    const value = row.short(column, 128).trim();
    if (!/^[\x21-\x7e]+$/.test(value)) throw new SkippedRow('it contains characters that are not allowed in a key');
    return { [name]: value };
  };

/** Settings that exist in this panel, by the other panel's column; empty ones keep this panel's value. Source: docs/glossary.md. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  name: text('name', 120),
  gg: longText('notice'),
  qqh: text('contact', 64),
  yzm: on('adminCaptcha'),
  yzme: notOff('userCaptcha'),
  kzmbqk: notOff('userPanelOpen'),
  apiqk: notOff('apiOpen'),
  api: key('api'),
  node_api_key: key('nodeApiKey'),
  hxi: text('linuxRoot', 255),
  hxo: text('windowsRoot', 255),
  hxp: longText('copyright'),
  hxw: text('fileManager', 250),
  zjyxbd: on('mailRequired'),
  mailhost: text('mailHost', 255),
  mailport: (row, column) => {
    const port = row.integer(column);
    if (port < 1 || port > 65_535) throw new SkippedRow('it is not a port');
    // The other panel supported only implicit TLS.
    return { mailPort: port, mailTls: 'ssl' };
  },
  mailuser: text('mailUser', 254),
  mailpassword: (row, column, { secrets }) => ({ mailPassword: secrets.seal(row.text(column), MAIL_PASSWORD_PLACE) }),
  wjsckg: on('scanEnabled'),
  wjsccnr: longText('scanKeywords'),
  wjsckgqbfx: on('scanChangedOnly'),
  wjscml: text('scanRoot', 500),
  wjstqml: text('scanSkippedFolders', 1_000),
  wjstqhz: text('scanSkippedSuffixes', 1_000),
  wjscdzmax: number('scanMaxFileBytes'),
  wjscdhmax: number('scanMaxMatches'),
  wjscqzcs: text('fullScanCron', 50),
  wjscqzcskg: on('fullScanEnabled'),
  pay_methods: (row, column) => {
    const methods = row.list(column).filter((value) => typeof value === 'object' && value !== null);
    return { payMethods: methods as SiteConfig['payMethods'] };
  },
};
/** Columns that are not settings. */
const NO_SETTING = new Set(['id', 'date', 'auther', 'wzqk']);

/** Imports the single row of settings. */
export const settings: ImportPart = {
  table: 'config',
  needs: ['api', 'kzmbqk'],
  what: 'settings',
  nameOf: () => 'settings',
  async take([row, ...more], context) {
    const { database, report } = context;
    if (!row) return;
    for (const another of more) report.skip('settings', 'only the first row of settings is used', `row ${another.text('id')}`);
    const values: Values = {};
    for (const column of row.filled()) {
      const setting = Object.hasOwn(SETTINGS, column) ? SETTINGS[column] : undefined;
      try {
        if (setting) Object.assign(values, setting(row, column, context));
        else if (column === 'user' || column === 'pwd') report.skip('settings', 'the administrators of this installation are kept', column);
        else if (!NO_SETTING.has(column)) report.skip('settings', 'this panel has no such setting', column);
        if (setting) report.add('settings');
      } catch (error) {
        if (!(error instanceof SkippedRow)) throw error;
        report.skip('settings', error.message, column);
      }
    }
    if (Object.keys(values).length > 0) await database.repository(SiteConfig).update({ id: 1 }, values);
  },
};
