import { readdirSync, readFileSync } from 'node:fs';

import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fieldSchemas, inputFields, openApi, type OpenApi } from '../../src/http/index.js';
import { OperationRegistry } from '../../src/operations/index.js';
import { SAMPLE_VIEWS } from '../../src/theme/samples/index.js';
import { ThemeFixture } from '../../src/theme/testing/theme-fixture.js';

import { elementsIn, problemsOf, read } from '../support/form-limits.js';
import { TestPanel } from '../support/panel.js';

/** Operations that read fields beyond their declared input, with where those are declared. */
const DECLARED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['yjbs', 'what a program asks for'],
  ['cxyl', 'the same, tried'],
  ['cxtj', 'pictures that stay'],
  ['setpaymethods', 'three for each way to pay that a plugin registers'],
  ['szbc', 'settings that a plugin declares'],
]);
/** Fields of shared views that only administrators see. */
const OF_ADMINISTRATORS = new Set(['zjczmm.pass']);
const STORE_VIEWS = 'src/store/web/views';
/** Matches the controls in a template; {@link SEARCH} matches forms with `method="get"`. */
const CONTROL = /<(?:input|select|textarea)\b(?:\{[{%][^]*?[%}]\}|"(?:\{[{%][^]*?[%}]\}|[^"])*"|[^>"])*>/g;
const SEARCH = /<form\b[^>]*method="get"[^]*?<\/form>/g;
/**
 * Fields that templates write themselves, with the reason why `{% field %}`, from which the `input` of store pages is made, does not render
 * them.
 */
const WRITTEN_BY_HAND: Readonly<Record<string, readonly string[]>> = {
  'words of their choices are put together, or some cannot be chosen': [
    ...['admin/agent-log: level', 'admin/host-package: spid', 'admin/hosts: btdh', 'admin/server-emptying: btdh', 'admin/servers: driver'],
    ...['admin/settings_site_backups: bf_wz', 'shared/php_page: php', 'user/name_fields: id'],
    ...['store/item: reason', 'store/shared/decide_many: decision', 'store/shared/ratings: stars', 'store/tokens: item_id'],
  ],
  'rows that are sent together': [
    ...['', '_min', '_max'].map((part) => `admin/settings_payments: {{ method.plugin }}__{{ method.method }}${part}`),
  ],
  'boxes that send another word than true': [
    ...['pay/receipt_form: invoice', 'shared/site_settings_page: action', 'store/own-item: channel', 'store/shared/decide_many: versions'],
    ...['store/tokens: scopes', 'store/profile: endTokens'],
  ],
  'a line beside its button, which the store has no partial for': [
    ...[
      'store/shared/report_card: msg',
      'store/second-factor: code',
      'store/shared/edit_decision: msg',
      'store/shared/own_version_acts: reason',
    ],
    ...['store/shared/ratings: text', 'store/shared/rating_card: text', 'store/shared/rating_card: reason'],
  ],
  'what shows a picture with it': ["shared/captcha_field: {{ captcha.name | default: 'code' }}"],
  'for those who keep passwords': ['user/reset: username'],
};
const SIDES = ['admin', 'user'] as const;

let panel: TestPanel;
let api: OpenApi;
const fixture = new ThemeFixture();

beforeAll(async () => {
  panel = await TestPanel.start();
  api = await openApi();
  const operations = panel.get(OperationRegistry);
  fixture.inputOf = (side, operation) => {
    const input = operations.find(side === 'admin' ? 'admin' : 'user', operation)?.input;
    return input && inputFields(input);
  };
});
afterAll(async () => {
  fixture.remove();
  await panel.close();
});

/** The forms of all views, by target: each input has the kind and limits declared by the operation. */
describe('forms of the default theme', () => {
  it('send what their operations read, with the same limits', async () => {
    const problems = new Set<string>();
    const operations = panel.get(OperationRegistry);
    let seen = 0;
    for (const { side, view, vars } of SAMPLE_VIEWS) {
      if (side !== 'admin' && side !== 'user') continue;
      const page = elementsIn(parse(await fixture.html(side, view, vars, { locale: 'en', nonce: 'n' })));
      for (const form of page.filter(({ nodeName }) => nodeName === 'form')) {
        const name = read(form, 'data-ajax');
        if (name === undefined) continue;
        // Views of both sides have samples with the operations of users.
        const operation = operations.find(side, name) ?? operations.find('user', name);
        const declared = operation?.input && fieldSchemas(operation.input, api);
        if (!operation) problems.add(`${side}/${view}: there is no ${name}`);
        if (!declared) continue;
        const id = read(form, 'id');
        const beside = id === undefined ? [] : page.filter((element) => read(element, 'form') === id);
        for (const field of [...elementsIn(form), ...beside].filter((element) => read(element, 'name') !== undefined)) {
          seen += 1;
          for (const problem of problemsOf(field, declared, DECLARED_ELSEWHERE.has(name))) {
            problems.add(`${side}/${view}: ${name}.${read(field, 'name')} ${problem}`);
          }
        }
      }
    }
    expect(seen).toBeGreaterThan(1_000);
    expect([...problems]).toEqual([]);
  }, 120_000);

  it('are rendered from fields that their operations read', () => {
    const operations = panel.get(OperationRegistry);
    const problems: string[] = [];
    let drawn = 0;
    for (const [path, source] of fixture.catalogue.package('default')!.templates) {
      for (const [, name, of] of source.matchAll(/\{%-?\s*field\s+'([^']+)',\s*of: '([^']+)'/g)) {
        drawn += 1;
        const sides = path.startsWith('admin/') ? (['admin'] as const) : path.startsWith('user/') ? (['user'] as const) : SIDES;
        for (const side of sides) {
          const input = operations.find(side, of!)?.input;
          const isDeclared = input && Object.hasOwn(inputFields(input), name!);
          if (!isDeclared && !OF_ADMINISTRATORS.has(`${of!}.${name!}`)) problems.push(`${path}: ${side} ${of!}.${name!}`);
        }
      }
    }
    expect(drawn).toBeGreaterThan(200);
    expect(problems).toEqual([]);
  });

  it('have no hand-written field where a tag or partial renders it', () => {
    const views = readdirSync(STORE_VIEWS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.liquid'));
    const store = views.map((file) => [`store/${file.slice(0, -7)}`, readFileSync(`${STORE_VIEWS}/${file}`, 'utf8')] as const);
    const written = new Set<string>();
    for (const [path, source] of [...fixture.catalogue.package('default')!.templates, ...store]) {
      if (path === 'shared/field') continue;
      for (const [control] of source.replaceAll(SEARCH, '').matchAll(CONTROL)) {
        // Checkboxes of one name are a list of choices, files come next to the fields, and unnamed inputs are not sent.
        const name = /\sname="([^"]*)"/.exec(control)?.[1];
        if (name === undefined || name.endsWith('[]') || /type="(?:hidden|file|radio)"|\sdata-many\b/.test(control)) continue;
        written.add(`${path}: ${name}`);
      }
    }
    expect([...written].sort()).toEqual(Object.values(WRITTEN_BY_HAND).flat().sort());
  });
});
