/** Every form that edits an existing row carries a version of what it shows. Source: docs/panel-api.md "Two who change the same". */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { inputFields } from '../src/http/index.js';
import { OperationRegistry, type OperationRecord } from '../src/operations/index.js';
import { ThemeCatalogue } from '../src/theme/index.js';

import { TestPanel } from './support/panel.js';

/** Operations that name a row and accept more values, but do not edit it, each with the reason. */
const NO_EDITS: Readonly<Record<string, readonly string[]>> = {
  'an action on the row: what is said with it is how, or why': [
    ...['ddtk', 'zjjc', 'zjzt', 'zjsc', 'zjhf', 'zjxf', 'zjzp', 'yetz', 'cxyl', 'nodeforbiddenscan', 'nodemycz', 'djcs'],
    ...['plugin_store_install', 'plugin_upgrade', 'wjccl', 'wjcbmd', 'dddz', 'btqk', 'databasedel', 'databasedownload', 'databaserestore'],
  ],
  'something new that belongs to the row': ['incident_update_add', 'tjurl', 'ymbd'],
  'an order, at the price its buyer saw': ['zjxfdd', 'zjbgdd', 'zjfptc'],
  'wire contract of shops: they set what was bought and never saw a form': ['zjbg', 'zjmode'],
};

/** Operations whose forms show stored values and cannot silently overwrite anything, each with the reason. */
const NO_EDIT_FORMS: Readonly<Record<string, readonly string[]>> = {
  'one choice of several: who saves it says all there is to say, and nothing else goes with it': [
    ...['nodeloglevel', 'p_dns_sites_save', 'phpxg', 'sethb', 'sitebackup_plan', 'zjfptc'],
  ],
  'the value is suggested for what is new, for an action or for an order': [
    ...['addym', 'crontab_save', 'ggtj', 'incident_add', 'incident_update_add', 'p_dns_record_add', 'wjbmdtj', 'xdd', 'zjdr', 'zjxfdd'],
    ...['cxyl', 'yjbs', 'sqldc', 'sqssl', 'jcssl', 'ddtk', 'zjhf', 'dddz', 'skdpl'],
  ],
  'the own name and password, which asks for the present ones': ['gl'],
};

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,store,worker' });
});
afterAll(() => panel?.close());

/** Changing operations of the panel, by name; of two with the same name, the owners' one, which cannot name a host. */
function changing(): Map<string, { record: OperationRecord; fields: string[] }> {
  const found = new Map<string, { record: OperationRecord; fields: string[] }>();
  for (const record of panel.get(OperationRegistry).all()) {
    if (record.owner !== 'core' || record.audit === null || !record.input) continue;
    const fields = Object.keys(inputFields(record.input));
    if (fields.length < (found.get(record.name)?.fields.length ?? Infinity)) found.set(record.name, { record, fields });
  }
  return found;
}

const namesOf = (reasons: Readonly<Record<string, readonly string[]>>): string[] => Object.values(reasons).flat();
/** Fields that name a row. */
const IDS: readonly string[] = ['id', 'jh', 'slug'];

it('every operation that names a row and accepts several values carries a version, or says why not', () => {
  const all = changing();
  const edits = [...all].filter(([, { fields }]) => fields.some((name) => IDS.includes(name)));
  const suspect = edits.filter(([, { fields }]) => fields.filter((name) => !IDS.includes(name)).length > 1);
  expect(suspect.length).toBeGreaterThan(40);
  const without = suspect.flatMap(([name, { fields }]) => (fields.includes('row_version') ? [] : [name]));
  expect(without.sort()).toEqual(namesOf(NO_EDITS).sort());
});

it('every form of a page that shows stored values carries a version, or says why not', () => {
  const { templates } = panel.get(ThemeCatalogue).package('default')!;
  const all = changing();
  const without = new Set<string>();
  let versions = 0;
  /** A form with its parts. */
  const whole = (source: string): string =>
    source.replaceAll(/\{%-?\s*partial '(?:\w+\/)?([\w-]+)'[^%]*%\}/g, (tag, name: string) => {
      const path = [...templates.keys()].find((one) => one.endsWith(`/${name}`));
      return path ? tag + templates.get(path)! : tag;
    });
  for (const [path, source] of templates) {
    for (const [form] of source.matchAll(/<form\b[^]*?<\/form>/g)) {
      const said = [...form.matchAll(/data-ajax="([^"]*)"/g)].map(([, operations]) => operations).join(' ');
      const names = [...said.matchAll(/\b[a-z]\w+/g)].flatMap(([name]) => (all.has(name) ? [name] : []));
      const parts = whole(form);
      const shows = /\bdata-from: '|\bvalue: (?!'|\d|blank)[\w.[\]]+|\bchecked: [\w.]+|%\}\s*(?:selected|checked)\b/.test(parts);
      const carries = parts.includes('name="row_version"');
      if (carries) versions += 1;
      const takes = (name: string): boolean => all.get(name)!.fields.includes('row_version');
      // A form may add and change: the changing operation then accepts what it sends.
      if (carries) expect(names.length === 0 || names.some(takes), `${path}: ${names.join()} takes the version its form sends`).toBe(true);
      else if (shows) for (const name of names) without.add(name);
    }
  }
  expect(versions).toBeGreaterThan(35);
  expect([...without].sort()).toEqual(namesOf(NO_EDIT_FORMS).sort());
});
