import { describe, expect, it } from 'vitest';

import { ThemeFixture } from '../testing/theme-fixture.js';
import { inkOn, rgbOf } from './colour.js';
import { readThemeSettings, settingProblem, type ThemeSetting } from './theme-setting.js';

const BAND = { key: 'band', type: 'colour', label: 'Band', default: '#0b6e4f' };

function read(...declared: unknown[]): { settings: ThemeSetting[]; problems: string[] } {
  const problems: string[] = [];
  return { settings: readThemeSettings(declared, (message) => problems.push(message)), problems };
}

describe('settings of a theme', () => {
  it.each([
    ['no object', 7, 'setting 1: is not an object'],
    ['no key', { type: 'text', label: 'x' }, '"key" must be'],
    ['a key of another language', { key: 'line_en', type: 'text', label: 'x' }, 'reserved for English values'],
    ['a key that reaches into objects', { key: '__proto__', type: 'text', label: 'x' }, '"key" must be'],
    ['an unknown type', { key: 'a', type: 'file', label: 'x' }, '"type" must be one of colour, image'],
    ['no label', { key: 'a', type: 'text' }, '"label" must be a string'],
    ['a default that is none', { ...BAND, default: 'red' }, 'setting "band": "default" is not a valid value for this colour'],
    ['a switch that is a word', { key: 'a', type: 'switch', label: 'x', default: 'yes' }, 'must be true or false'],
    ['no options', { key: 'a', type: 'choice', label: 'x' }, '"options" must be a list'],
    [
      'two options alike',
      {
        key: 'a',
        type: 'choice',
        label: 'x',
        options: [
          { value: 'b', label: 'B' },
          { value: 'b', label: 'C' },
        ],
      },
      'the same value',
    ],
    ['options of a text', { key: 'a', type: 'text', label: 'x', options: [] }, 'only for choices'],
    ['a picture of its own', { key: 'a', type: 'image', label: 'x', default: 'a.png' }, 'is not supported'],
  ])('with %s are named, and the others count', (_what, wrong, problem) => {
    const { settings, problems } = read(wrong, { ...BAND, key: 'other' });
    expect(settings.map(({ key }) => key)).toEqual(['other']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('with duplicate keys, or too many, are skipped', () => {
    expect(read(BAND, { ...BAND, type: 'text', default: '' }).settings).toMatchObject([{ type: 'colour' }]);
    const many = Array.from({ length: 41 }, (_, i) => ({ ...BAND, key: `band${i}` }));
    expect(read(...many)).toMatchObject({
      settings: { length: 40 },
      problems: ['"settings" has more than 40 entries: the others are ignored'],
    });
    const problems: string[] = [];
    expect(readThemeSettings({ band: BAND }, (message) => problems.push(message))).toEqual([]);
    expect(problems).toEqual(['"settings" must be a list']);
  });

  it('accept valid values only', () => {
    const [colour, choice, flag] = read(
      BAND,
      { key: 'a', type: 'choice', label: 'x', options: [{ value: 'b', label: 'B' }] },
      { key: 'c', type: 'switch', label: 'x' },
    ).settings as [ThemeSetting, ThemeSetting, ThemeSetting];
    expect([settingProblem(colour, '#12345G'), settingProblem(colour, 'red;}'), settingProblem(colour, '#ABCDEF')]).toEqual([
      'theme.setting_colour',
      'theme.setting_colour',
      null,
    ]);
    expect([settingProblem(choice, 'z'), settingProblem(choice, 'b'), settingProblem(flag, '1')]).toEqual([
      'operations.field.isIn',
      null,
      'operations.field.isBoolean',
    ]);
  });

  it('determine the text colour on colours', () => {
    expect([inkOn('#0b6e4f'), inkOn('#ffee88'), inkOn('no colour')]).toEqual(['#ffffff', '#182433', '#ffffff']);
    expect([rgbOf('#0b6e4f'), rgbOf('#fff'), rgbOf(undefined)]).toEqual([[11, 110, 79], null, null]);
  });
});

describe('views of a theme', () => {
  it("see its settings, its texts in the reader's language, and no active HTML", async () => {
    const themes = new ThemeFixture();
    const settings = [
      BAND,
      { key: 'line', type: 'text', label: 'x', default: 'hello' },
      { key: 'steps', type: 'switch', label: 'x', default: true },
      { key: 'about', type: 'markdown', label: 'x', default: '**Bold** <script>alert(1)</script>' },
      { key: 'picture', type: 'image', label: 'x' },
    ];
    themes.install({
      'theme.json': JSON.stringify({ settings }),
      'lang/en.json': '{"hello":"Hello & welcome"}',
      'home/index.liquid':
        '{{ theme_settings.band }} {{ theme_settings.band | ink }} {{ theme_settings.band | rgb }} {{ theme_settings.line }} ' +
        '{% if theme_settings.steps %}steps{% endif %} {% slot theme_settings.about %}' +
        '{% if theme_settings.picture == blank %}bare{% endif %}',
    });
    const html = await themes.html('home', 'index', { theme_settings: 'what a page says is not it' }, { locale: 'en', nonce: '' });
    expect(html).toContain('#0b6e4f #ffffff 11, 110, 79 Hello &amp; welcome steps <p><strong>Bold</strong>');
    expect(html).toContain('bare');
    expect(html).not.toContain('<script');
    themes.remove();
  });
});
