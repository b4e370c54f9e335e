/** Fields declared by operations of plugins: validated before the operation runs, rendered, described, and removed with the plugin. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const FIELDS = `[
  { key: 'code', type: 'text', required: true, maxLength: 5 },
  { key: 'note', type: 'textarea', maxLength: 20 },
  { key: 'secret', type: 'password' },
  { key: 'percent', type: 'number', whole: true, min: 1, max: 100, required: true },
  { key: 'weight', type: 'number', min: -1.5 },
  { key: 'open', type: 'switch' },
  { key: 'kind', type: 'select', options: [{ value: 'Fixed', label: 'kind_fixed' }, { value: 'share', label: 'A, share' }] },
]`;
const PAGE = ['code', 'note', 'secret', 'percent', 'weight', 'open', 'kind']
  .map((field) => `{% field '${field}', of: 'p_desk_save', label: '${field}' %}`)
  .join('\n');
const WORDS = '{ "kind_fixed": "Fixed amount", "saved": "Saved" }';

/** Returns a plugin whose operation answers its arguments. */
const desk = (fields: string): string =>
  functionPlugin(`
    let runs = 0;
    const save = (...given) => {
      runs += 1;
      const [{ body }, input] = given;
      return { success: true, code: 'ok', runs, given: given.length, input: input && { ...input }, body };
    };
    svc.svc_register_ajax('admin', 'p_desk_save', save, 'admin', { audit: 'saved', ${fields} });
    svc.svc_register_ajax('admin', 'p_desk_plain', save, 'admin');
    svc.svc_register_page('admin', 'desk', 'pages/desk.liquid', 'Desk');`);

const writeDesk = (fields: string, page: string): void => {
  const files = { 'index.js': desk(fields), 'pages/desk.liquid': page, 'lang/en.json': WORDS, 'lang/zh-CN.json': WORDS };
  writePlugin(panel.dataDir, 'desk', { files });
};

interface Answer {
  readonly success: boolean;
  readonly err?: string;
  readonly code: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly runs: number;
  readonly given: number;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, string>>;
}

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  writeDesk(`fields: ${FIELDS}`, PAGE);
  await panel.enable('desk');
});
afterAll(() => panel.close());

const EN = { 'Accept-Language': 'en' };
const send = async (fields: Readonly<Record<string, string>>, gn = 'p_desk_save'): Promise<Answer> => {
  const body = new URLSearchParams({ gn, ...fields });
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', headers: EN, body })).json()) as Answer;
};
const sendJson = async (body: string): Promise<Answer> => {
  const headers = { ...EN, 'Content-Type': 'application/json' };
  return (await (await panel.adminFetch('/admin/ajax.php?gn=p_desk_save', { method: 'POST', headers, body })).json()) as Answer;
};
const page = async (): Promise<string> => (await panel.adminFetch('/admin/plugin.php?p=desk&page=desk', { headers: EN })).text();
const lines = async (): Promise<number> => {
  const list = (await panel.admin('listlog', { where: '{"name":"","type":"2","value":""}' })) as unknown as { total: number };
  return list.total;
};
const described = async (): Promise<{ properties: object; required: string[] } | undefined> => {
  const { paths } = (await (await panel.adminFetch('/admin/openapi.json')).json()) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: { properties: object; required: string[] } }> } } }>;
  };
  return paths['/admin/ajax.php?gn=p_desk_save']?.post.requestBody.content['application/json']!.schema;
};

const GOOD = { code: 'A1', percent: '10' };

describe('an operation with declared fields', () => {
  it('receives typed values, and the unchanged body', async () => {
    const given = {
      code: ' A1 ',
      note: ' a\nb ',
      secret: ' x ',
      percent: ' 10 ',
      weight: '-0.25',
      open: 'ON',
      kind: 'fixed',
      other: 'yes',
    };
    const { input, body } = await send(given);
    expect(input).toEqual({ code: 'A1', note: 'a\nb', secret: ' x ', percent: 10, weight: -0.25, open: true, kind: 'Fixed' });
    expect(body).toEqual({ gn: 'p_desk_save', ...given });
  });

  it('receives nothing for a field that was not sent, or an empty one that is not a text', async () => {
    expect((await send(GOOD)).input).toEqual({ code: 'A1', percent: 10 });
    const empty = { note: '', secret: '', weight: '', open: '', kind: '' };
    const { input } = await send({ ...GOOD, ...empty });
    expect(JSON.parse(JSON.stringify(input))).toEqual({ code: 'A1', percent: 10, note: '', secret: '' });
    expect((await send({ ...GOOD, open: 'off' })).input).toEqual({ code: 'A1', percent: 10, open: false });
  });

  it.each([
    ['code', '', 'Must not be empty'],
    ['code', '   ', 'Must not be empty'],
    ['code', '123456', 'At most 5 characters'],
    ['note', 'x'.repeat(21), 'At most 20 characters'],
    ['percent', '', 'Must not be empty'],
    ['percent', 'ten', 'Enter a whole number'],
    ['percent', '1.5', 'Enter a whole number'],
    ['percent', '0x10', 'Enter a whole number'],
    ['percent', '0', 'Must be at least 1'],
    ['percent', '101', 'Must be at most 100'],
    ['percent', '9'.repeat(400), 'Enter a whole number'],
    ['weight', '-2', 'Must be at least -1.5'],
    ['weight', '1e3', 'Enter a number'],
    ['weight', 'Infinity', 'Enter a number'],
    ['weight', '0.1234567', 'Enter a number'],
    ['open', 'maybe', 'Enter true or false'],
    ['kind', 'toString', 'Not one of the choices'],
    ['kind', '["Fixed"]', 'Not one of the choices'],
  ])('is not called with %s “%s”: the error is reported at the field', async (field, value, words) => {
    const { runs } = await send(GOOD);
    const before = await lines();
    const answer = await send({ ...GOOD, [field]: value });
    expect(answer).toMatchObject({ success: false, qk: 4, err: 'E_ARGS', data: null });
    expect(Object.keys(answer.fields!)).toEqual([field]);
    expect(answer.fields![field]).toContain(words);
    expect(answer.code).toContain(field);
    expect(await lines()).toBe(before);
    expect((await send(GOOD)).runs).toBe(runs + 1);
    expect(await lines()).toBe(before + 1);
  });

  it('reports all errors at once, like forms of the panel', async () => {
    const wrong = await send({ open: 'maybe', weight: 'x' });
    expect(Object.keys(wrong.fields!).sort()).toEqual(['code', 'open', 'percent', 'weight']);
    const ours = (await (
      await panel.adminFetch('/admin/ajax.php', { method: 'POST', headers: EN, body: new URLSearchParams({ gn: 'listlog', page: 'x' }) })
    ).json()) as Answer;
    expect(Object.keys(wrong).sort()).toEqual(Object.keys(ours).sort());
  });

  it('accepts JSON like forms, whatever is hidden in it', async () => {
    expect((await sendJson('{"code":"A1","percent":10,"open":true,"weight":null}')).input).toMatchObject({ percent: 10, open: true });
    expect((await sendJson('{"code":{"$gt":""},"percent":[10]}')).fields).toMatchObject({ percent: 'Enter a whole number' });
    const { input } = await sendJson('{"code":"A1","percent":10,"__proto__":{"kind":"share"},"constructor":{"x":1}}');
    expect(input).toEqual({ code: 'A1', percent: 10 });
  });

  it('does not validate requests of callers who may not run it', async () => {
    const answer = await panel.fetch('/admin/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'p_desk_save', open: 'maybe' }),
    });
    expect(await answer.text()).toBe('{"code":"请登陆后台"}');
  });

  it('is rendered as declared', async () => {
    const html = await page();
    const tag = (name: string): string => new RegExp(`<(?:input|select|textarea)[^>]*name="${name}"[^>]*>`).exec(html)![0];
    expect(tag('code')).toMatch(/type="text".*maxlength="5".*required/s);
    expect(tag('note')).toMatch(/^<textarea.*maxlength="20"/s);
    expect(tag('secret')).toMatch(/type="password"/);
    expect(tag('percent')).toMatch(/type="number".*min="1".*max="100".*inputmode="numeric".*required/s);
    expect(tag('weight')).toMatch(/type="number".*min="-1.5".*step="any"/s);
    expect(tag('weight')).not.toMatch(/required/);
    expect(tag('open')).toMatch(/type="checkbox"/);
    expect(tag('kind')).toMatch(/^<select/);
    expect(html).toMatch(/<option\s+value="Fixed"\s*>\s*Fixed amount\s*<\/option>\s*<option\s+value="share"\s*>\s*A, share/);
  });

  it('is in the OpenAPI document', async () => {
    const { properties, required } = (await described())!;
    expect(required).toEqual(['code', 'percent']);
    expect(properties).toEqual({
      code: { type: 'string', minLength: 1, maxLength: 5 },
      note: { type: 'string', maxLength: 20, format: 'textarea' },
      secret: { type: 'string', format: 'password' },
      percent: { type: 'integer', minimum: 1, maximum: 100 },
      weight: { type: 'number', minimum: -1.5 },
      open: { type: 'boolean' },
      kind: { type: 'string', enum: ['Fixed', 'share'], 'x-enumNames': ['kind_fixed', 'A, share'] },
    });
  });
});

it('an operation that declares nothing is called as before', async () => {
  expect(await send({ percent: 'ten', open: 'maybe' }, 'p_desk_plain')).toMatchObject({
    given: 1,
    body: { percent: 'ten', open: 'maybe' },
  });
});

describe('a declaration', () => {
  it('is removed with the plugin, and replaced by that of the next version', async () => {
    await panel.disable('desk');
    expect(await described()).toBeUndefined();
    expect(await send(GOOD)).toMatchObject({ success: false });
    writeDesk(`fields: [{ key: 'code', type: 'number', whole: true }]`, `{% field 'code', of: 'p_desk_save', label: 'code' %}`);
    await panel.enable('desk');
    expect(await described()).toMatchObject({ properties: { code: { type: 'integer' } }, required: [] });
    expect((await send({ code: '123456', percent: 'ten' })).input).toEqual({ code: 123_456 });
    expect((await send({ code: 'A1' })).fields).toEqual({ code: 'Enter a whole number' });
    expect(await page()).toMatch(/<input[^>]*type="number"[^>]*name="code"|<input[^>]*name="code"[^>]*type="number"/);
    await panel.disable('desk');
    // Another plugin uses the name without declared fields.
    writePlugin(
      panel.dataDir,
      'other',
      functionPlugin(`svc.svc_register_ajax('admin', 'p_desk_save', ({ body }) => ({ body }), 'admin');`),
    );
    await panel.enable('other');
    expect(await described()).toMatchObject({ properties: {}, required: [] });
    expect(await send({ code: 'A1' })).toMatchObject({ body: { code: 'A1' } });
    await panel.disable('other');
  });

  it.each([
    [`'code'`, /fields must be a list/],
    [`null`, /fields must be a list/],
    [`[]`, /fields must be a list of 1 to 100/],
    [`{ code: { type: 'text' } }`, /fields must be a list/],
    [`() => []`, /fields must be a list/],
    [`new Array(3)`, /fields must be a list/],
    [`Array.from({ length: 101 }, (_, at) => ({ key: 'f' + at, type: 'text' }))`, /fields must be a list of 1 to 100/],
    [`Object.defineProperty([0], 0, { get: () => ({ key: 'a', type: 'text' }), enumerable: true })`, /fields must be a list/],
    [`[null]`, /must be an object/],
    [`[() => ({})]`, /must be an object/],
    [`[{ get key() { return 'code'; }, type: 'text' }]`, /without getters/],
    [`[{ type: 'text' }]`, /key of a field/],
    [`[{ key: '__proto__', type: 'text' }]`, /key of a field.*"__proto__"/],
    [`[{ key: 'constructor', type: 'text' }]`, /key of a field.*"constructor"/],
    [`[{ key: 'toString', type: 'text' }]`, /key of a field.*"toString"/],
    [`[{ key: 'gn', type: 'text' }]`, /key of a field.*"gn"/],
    [`[{ key: 'a[b]', type: 'text' }]`, /key of a field/],
    [`[{ key: 'x'.repeat(65), type: 'text' }]`, /key of a field/],
    [`[(() => { const key = {}; key.key = key; return { key, type: 'text' }; })()]`, /key of a field.*a value of type object/],
    [`[{ key: 'a', type: 'text' }, { key: 'a', type: 'number' }]`, /two fields have the key "a"/],
    [`[{ key: 'a', type: 'colour' }]`, /type of the field "a" must be one of text.*"colour"/],
    [`[{ key: 'a', type: 'constructor' }]`, /type of the field "a"/],
    [`[{ key: 'a', type: ['text'] }]`, /type of the field "a"/],
    [`[{ key: 'a' }]`, /type of the field "a"/],
    [`[{ key: 'a', type: 'text', label: 'Words' }]`, /"a" of type text does not support "label"/],
    [`[{ key: 'a', type: 'text', min: 1 }]`, /"a" of type text does not support "min"/],
    [`[{ key: 'a', type: 'number', maxLength: 1 }]`, /"a" of type number does not support "maxLength"/],
    [`[{ key: 'a', type: 'switch', options: [] }]`, /"a" of type switch does not support "options"/],
    [`[JSON.parse('{"key":"a","type":"text","__proto__":1}')]`, /"a" of type text does not support "__proto__"/],
    [`[{ key: 'a', type: 'text', required: 'yes' }]`, /required of the field "a"/],
    [`[{ key: 'a', type: 'number', whole: 1 }]`, /whole of the field "a"/],
    [`[{ key: 'a', type: 'number', min: '1' }]`, /min of the field "a"/],
    [`[{ key: 'a', type: 'number', max: NaN }]`, /max of the field "a"/],
    [`[{ key: 'a', type: 'number', max: Infinity }]`, /max of the field "a"/],
    [`[{ key: 'a', type: 'number', max: 10n }]`, /max of the field "a"/],
    [`[{ key: 'a', type: 'number', whole: true, min: 0.5 }]`, /min of the field "a" must be a whole number/],
    [`[{ key: 'a', type: 'number', min: 2, max: 1 }]`, /min of the field "a" is more than its max/],
    [`[{ key: 'a', type: 'text', maxLength: 0 }]`, /maxLength of the field "a"/],
    [`[{ key: 'a', type: 'text', maxLength: '5' }]`, /maxLength of the field "a"/],
    [`[{ key: 'a', type: 'select' }]`, /options of the field "a"/],
    [`[{ key: 'a', type: 'select', options: [] }]`, /options of the field "a"/],
    [`[{ key: 'a', type: 'select', options: ['x'] }]`, /option of the field "a" needs a value and a label/],
    [`[{ key: 'a', type: 'select', options: [{ value: 1, label: 'One' }] }]`, /option of the field "a" needs a value and a label/],
    [`[{ key: 'a', type: 'select', options: [{ value: 'x', label: 'X', title: 'X' }] }]`, /both strings, and nothing else/],
    [`[{ key: 'a', type: 'select', options: [{ value: '', label: 'None' }] }]`, /value of an option of the field "a"/],
    [`[{ key: 'a', type: 'select', options: [{ value: ' x', label: 'X' }] }]`, /value of an option of the field "a"/],
    [`[{ key: 'a', type: 'select', options: [{ value: 'x', label: '1' }, { value: 'X', label: '2' }] }]`, /two options of the field "a"/],
  ])('is refused by name if it is invalid: %s', async (fields, rule) => {
    writePlugin(
      panel.dataDir,
      'wrong',
      functionPlugin(`svc.svc_register_ajax('admin', 'p_w', () => ({}), 'admin', { fields: ${fields} });`),
    );
    const { success, code } = await panel.tryEnable('wrong');
    expect(success).toBe(false);
    expect(code).toMatch(rule);
    expect(code).toMatch(/wrong: .*operation p_w/s);
    expect(panel.registrations('wrong')).toEqual({});
  });

  it('belongs to the panel once registered: later changes of the plugin’s object have no effect', async () => {
    const code = `const field = { key: 'a', type: 'number', max: 5 };
      const fields = [field];
      svc.svc_register_ajax('admin', 'p_later', (_ctx, input) => ({ input }), 'admin', { fields });
      field.max = 500;
      fields.push({ key: 'b', type: 'text', required: true });`;
    writePlugin(panel.dataDir, 'later', functionPlugin(code));
    await panel.enable('later');
    expect(await send({ a: '5' }, 'p_later')).toEqual({ input: { a: 5 } });
    expect(await send({ a: '6' }, 'p_later')).toMatchObject({ success: false, fields: { a: 'Must be at most 5' } });
  });
});
