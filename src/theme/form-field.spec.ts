import type { Type } from '@nestjs/common';
import { IsBoolean, IsEmail, IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import { parseFragment } from 'parse5';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { tidyHtml } from '../../test/support/tidy-html.js';
import { ApiProperty, inputFields } from '../http/index.js';
import { startRender } from './render-frame.js';
import { ATTACK } from './samples/index.js';
import { ThemeFixture } from './testing/theme-fixture.js';
import { ThemeEngine, type RenderMode } from './theme-engine.js';

/** What the operation `desk` reads. */
class DeskInput {
  @Length(3, 40) title!: string;
  @IsOptional() @IsString() @MaxLength(200) note?: string;
  @IsString() @MaxLength(8_000) text!: string;
  @IsString() @MaxLength(100_000) program!: string;
  @IsInt() @Min(1) @Max(9) seats!: number;
  @IsOptional() @IsInt() @Min(-5) @Max(5) floor?: number;
  @IsOptional() @IsNumber() @Min(0) weight?: number;
  @IsBoolean() open!: boolean;
  @IsIn(['oak', 'steel']) kind!: string;
  @IsEmail() mail!: string;
  @IsOptional() @MaxLength(1_000) @ApiProperty({ minLength: 6, maxLength: 60 }) code?: string;
  @ApiProperty({ minLength: 1, maxLength: 9 }) shelf!: string;
  @IsOptional() @IsString() @MaxLength(200) @ApiProperty({ format: 'textarea' }) lines?: string;
  @IsOptional() @IsString() @ApiProperty({ format: 'password' }) key?: string;
  @IsIn(['l', 'r']) @ApiProperty({ 'x-enumNames': ['common.save', 'To the right, please'] }) side!: string;
}

/** What it may read one day. */
class ShortInput {
  @MaxLength(9) title!: string;
}

/** How its fields are drawn. */
const DECLARED = {
  title: { is: 'input', type: 'text', minlength: '3', maxlength: '40', required: '' },
  note: { is: 'input', type: 'text', maxlength: '200' },
  text: { is: 'textarea', rows: '4', maxlength: '8000' },
  program: { is: 'textarea', rows: '4' },
  seats: { is: 'input', type: 'number', min: '1', max: '9', inputmode: 'numeric', required: '' },
  floor: { is: 'input', type: 'number', min: '-5', max: '5' },
  weight: { is: 'input', type: 'number', min: '0', step: 'any' },
  open: { is: 'input', type: 'checkbox', value: 'true', 'data-off': 'false' },
  kind: { is: 'select' },
  mail: { is: 'input', type: 'email' },
  code: { is: 'input', type: 'text', minlength: '6', maxlength: '60' },
  shelf: { is: 'input', type: 'text', maxlength: '9', required: '' },
  lines: { is: 'textarea', rows: '4', maxlength: '200' },
  key: { is: 'input', type: 'password' },
  side: { is: 'select' },
};

interface Element {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
  readonly value?: string;
}

const elements = (element: Element): Element[] => [element, ...(element.childNodes ?? []).flatMap(elements)];
const textOf = ({ nodeName, value, childNodes = [] }: Element): string => (nodeName === '#text' ? value! : childNodes.map(textOf).join(''));
const attributesOf = ({ attrs = [] }: Element) => Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

let fixture: ThemeFixture;
let missing: string[];

beforeEach(() => {
  fixture = new ThemeFixture();
  missing = [];
});
afterEach(() => fixture.remove());

/** An engine with the partials of the default theme. */
function newEngine(mode: RenderMode, desk: () => Type = () => DeskInput): ThemeEngine {
  const engine: ThemeEngine = new ThemeEngine(
    fixture.catalogue.package('default')!,
    null,
    {
      timezone: 'UTC',
      inputOf: (side, name) => (name === 'p_desk' ? null : side === 'user' && name === 'desk' ? inputFields(desk()) : undefined),
      asset: () => null,
      partial: (side, name) => engine.findPartial(side, name),
      override: async () => null,
      missing: (_side, what) => void missing.push(what),
      broken: () => undefined,
    },
    mode,
  );
  return engine;
}

/** What a template of a plugin's page, or of a theme, says. */
async function html(template: string, vars: object = {}, engine = newEngine('at-once')): Promise<string> {
  const { data, frame } = startRender(vars, { side: 'user', locale: 'en', nonce: 'n', call: undefined }, 1_000);
  return (await engine.render(engine.parseSource(template), data, frame)).toString();
}

/** The control that a template draws, with its attributes. */
async function control(template: string, vars: object = {}): Promise<Record<string, string>> {
  const found = elements(parseFragment(await html(template, vars)) as Element).find(({ nodeName }) =>
    /input|select|textarea/.test(nodeName),
  )!;
  const { class: _look, id: _id, name: _name, ...rest } = attributesOf(found);
  return { is: found.nodeName, ...rest };
}

describe('{% field %}', () => {
  it('has the type and limits declared by its operation', async () => {
    const drawn: Record<string, object> = {};
    for (const name of Object.keys(DECLARED)) drawn[name] = await control(`{% field '${name}', of: 'desk', label: 'Words' %}`);
    expect(drawn).toEqual(DECLARED);
    expect(missing).toEqual([]);
  });

  it('is labelled, marked as required and explained', async () => {
    const [label, input, hint] = (
      parseFragment(tidyHtml(await html("{% field 'title', of: 'desk', label: 'common.save', hint: 'Any words' %}"))) as Element
    ).childNodes!;
    expect(attributesOf(label!)).toEqual({ class: 'form-label required', for: 'desk-title' });
    expect(textOf(label!)).toBe('Save');
    expect(attributesOf(input!)).toMatchObject({ class: 'form-control', id: 'desk-title', name: 'title' });
    expect(textOf(hint!)).toBe('Any words');
    expect(await html("{% field 'note', of: 'desk', label: 'Note' %}")).toContain('class="form-label"');
  });

  it('shows its value, except for a password', async () => {
    const vars = { desk: { seats: 0, open: true, kind: 'steel', text: 'a\n<b>' } };
    expect(await control("{% field 'seats', of: 'desk', value: desk.seats %}", vars)).toMatchObject({ value: '0' });
    expect(await control("{% field 'open', of: 'desk', value: desk.open %}", vars)).toHaveProperty('checked');
    expect(await control("{% field 'open', of: 'desk', value: false %}")).not.toHaveProperty('checked');
    expect(tidyHtml(await html("{% field 'kind', of: 'desk', value: desk.kind %}", vars))).toContain(
      '<option value="oak">oak</option><option value="steel" selected>steel</option>',
    );
    expect(tidyHtml(await html("{% field 'side', of: 'desk', value: 'r' %}"))).toContain(
      '<option value="l">Save</option><option value="r" selected>To the right, please</option>',
    );
    expect(await html("{% field 'key', of: 'desk', value: 'hush' %}")).not.toContain('hush');
    expect(await html("{% field 'text', of: 'desk', value: desk.text %}", vars)).toContain('>\na\n&lt;b&gt;</textarea>');
    expect(await html("{% field 'note', of: 'desk', type: 'password', value: 'hush' %}")).not.toContain('hush');
  });

  it('is overridden by the template', async () => {
    expect(await control("{% field 'title', of: 'desk', maxlength: 20, required: false, data-from: 'name', readonly %}")).toEqual({
      ...DECLARED.title,
      ...{ maxlength: '20', required: undefined, 'data-from': 'name', readonly: '' },
    });
    expect(await control("{% field 'seats', of: 'desk', min: least, max: most, required: must, rows: lines, aria-label: words %}")).toEqual(
      DECLARED.seats,
    );
    expect(await control("{% field 'note', of: 'desk', type: 'date', required %}")).toEqual({ is: 'input', type: 'date', required: '' });
    expect(await control("{% field 'note', of: 'desk', rows: 2 %}")).toEqual({ is: 'textarea', rows: '2', maxlength: '200' });
    expect(await control("{% field 'weight', of: 'desk', type: 'decimal' %}")).toEqual({ is: 'input', type: 'text', inputmode: 'decimal' });
    expect(tidyHtml(await html("{% field 'kind', of: 'desk', options: 'oak:common.save, :Any', look: 'wide' %}"))).toContain(
      '<select class="form-select wide" id="desk-kind" name="kind"><option value="oak">Save</option><option value="">Any</option></select>',
    );
    expect(tidyHtml(await html("{% field 'kind', of: 'desk', options: 'oak, steel:18:10' %}"))).toContain(
      '><option value="oak">oak</option><option value="steel">18:10</option></select>',
    );
    expect(tidyHtml(await html("{% field 'kind', of: 'desk', options: '' %}"))).toContain('name="kind"></select>');
    expect(tidyHtml(await html("{% field 'seats', of: 'desk', prefix: 'at most', suffix: 'of <9>' %}"))).toMatch(
      /<div class="input-group"><span [^>]+>at most<\/span><input [^>]+><span [^>]+>of &lt;9&gt;<\/span><\/div>/,
    );
  });

  it('has choices from records with other keys, after a first one', async () => {
    const people = [
      { id: 7, name: 'Ann', label: 'no' },
      { id: 8, name: 'Bo, or Bob' },
    ];
    const template =
      "{% field 'seats', of: 'desk', type: 'select', first: first, options: people, option-value: 'id', option-label: 'name' %}";
    const options = tidyHtml(await html(template, { people, first: '0:nobody, yet' }));
    expect(options).toContain('<option value="0">nobody, yet</option><option value="7">Ann</option><option value="8">Bo, or Bob</option>');
    expect(await html(template, { people })).not.toContain('nobody');
    expect(options).not.toContain('option-');
    expect(tidyHtml(await html("{% field 'kind', of: 'desk', first: ':' %}"))).toContain('<option value=""></option><option value="oak">');
  });

  it('is a checkbox instead of a switch if requested, also without a label', async () => {
    const box = "{% field 'open', of: 'desk', type: 'checkbox', look: 'mt-2'";
    expect(tidyHtml(await html(`${box}, label: 'Words', value: true %}`))).toMatch(
      /^<label class="form-check mt-2"><input class="form-check-input" type="checkbox" [^>]*checked><span [^>]+>Words<\/span><\/label>$/,
    );
    expect(await control(`${box}, aria-label: 'Words' %}`)).toEqual({ ...DECLARED.open, 'aria-label': 'Words' });
    expect(tidyHtml(await html(`${box} %}`))).toMatch(/^<input class="form-check-input mt-2" [^>]+>$/);
    expect(await control(`${box}, data-off: 'no' %}`)).toHaveProperty('data-off', 'no');
    expect(await control(`${box}, data-off: false %}`)).not.toHaveProperty('data-off');
  });

  it('shows its error message', async () => {
    const page = tidyHtml(await html("{% field 'title', of: 'desk', problem: problem, suffix: 'x' %}", { problem: 'common.save' }));
    expect(page).toMatch(/<input class="form-control is-invalid" [^>]*aria-invalid="true">/);
    expect(page).toContain('<div class="invalid-feedback d-block" role="alert">common.save</div>');
    expect(await html("{% field 'title', of: 'desk', problem: nothing %}")).not.toContain('invalid');
  });

  it('keeps an empty line at the beginning of a text', async () => {
    const page = parseFragment(await html("{% field 'text', of: 'desk', value: value %}", { value: '\na' })) as Element;
    expect(textOf(elements(page).find(({ nodeName }) => nodeName === 'textarea')!)).toBe('\na');
  });

  it("is a text input if a plugin's operation declares nothing, or without an operation", async () => {
    for (const operation of ["of: 'p_desk', ", ''])
      expect(await control(`{% field 'x', ${operation}label: 'X' %}`)).toEqual({ is: 'input', type: 'text' });
    expect(missing).toEqual([]);
  });

  it('can be a record declared by a plugin, whose other properties become no attributes', async () => {
    const record = { name: 'cs[key]', type: 'select', label: 'Key', value: 'b', required: true, options: [{ value: 'b', label: '<B>' }] };
    const template = '{% for field in fields %}{% field field, id: "own" %}{% endfor %}';
    const page = tidyHtml(await html(template, { fields: [{ ...record, onclick: 'x' }, record] }));
    expect(page).toContain(
      '<select class="form-select" id="own" name="cs[key]" required><option value="b" selected>&lt;B&gt;</option></select>',
    );
    expect(page).not.toContain('onclick');
    expect(page.match(/<select/g)).toHaveLength(2);
  });

  it.each(['at-once', 'waiting'] as const)('of an unknown operation or name is omitted and reported, %s', async (mode) => {
    const template =
      "a{% field 'nope', of: 'desk' %}{% field 'title', of: 'dsek' %}{% field name, of: of %}b{% field 'title', of: 'desk' %}";
    const page = tidyHtml(await html(template, { name: 'constructor', of: 'desk' }, newEngine(mode)));
    expect(page).toMatch(/^ab<input [^>]+>$/);
    expect(missing).toEqual(['field "nope" of operation "desk"', 'operation "dsek"', 'field "constructor" of operation "desk"']);
  });

  it('escapes all input', async () => {
    const given = ['label', 'hint', 'note', 'prefix', 'suffix', 'look', 'problem', 'first', 'value', 'id', 'placeholder', 'data-from'];
    const values = given.map((name) => `${name}: bad`).join(', ');
    const vars = { bad: `"'>${ATTACK}`, list: [`"'>${ATTACK}`] };
    for (const field of [
      "'title', of: 'desk'",
      "'text', of: 'desk'",
      "'open', of: 'desk'",
      "'open', of: 'desk', type: 'checkbox'",
      "'kind', of: 'desk', options: list",
      'bad, type: bad',
    ]) {
      const page = elements(parseFragment(await html(`{% field ${field}, ${values} %}`, vars)) as Element);
      expect(page.filter(({ nodeName }) => ['img', 'script', 'b'].includes(nodeName))).toEqual([]);
      expect(page.filter(({ nodeName }) => /input|select|textarea/.test(nodeName))).toHaveLength(1);
    }
  });

  it('keeps nothing of the previous page', async () => {
    const engine = newEngine('at-once');
    const template = '{% field name, of: of, label: words, options: list, type: type, value: value %}';
    const show = async (vars: object) => tidyHtml(await html(template, vars, engine));
    expect(await show({ name: 'title', of: 'desk', words: 'One', value: '1' })).toMatch(/>One<.+ maxlength="40".* value="1"/);
    expect(await show({ name: 'title', of: 'desk', words: 'Two' })).toMatch(/>Two<(?!.*value=)/);
    expect(await show({ name: 'note', of: 'desk', words: 'Two' })).toContain('maxlength="200"');
    expect(await show({ name: 'note', of: 'p_desk', words: 'Two' })).not.toContain('maxlength');
    for (const list of [['a'], ['b']]) expect(await show({ name: 'note', type: 'select', list })).toContain(`<option value="${list[0]}">`);
    // An operation that was registered anew reads something else.
    let input: Type = DeskInput;
    const changing = newEngine('at-once', () => input);
    expect(await html("{% field 'title', of: 'desk' %}", {}, changing)).toContain('maxlength="40"');
    input = ShortInput;
    expect(await html("{% field 'title', of: 'desk' %}", {}, changing)).toContain('maxlength="9"');
  });
});
