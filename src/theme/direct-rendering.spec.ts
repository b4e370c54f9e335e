import { Drop, Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';

import { renderDirectly } from './direct-rendering.js';

renderDirectly();

class Later extends Drop {
  *slow(): Generator<unknown, string> {
    return String(yield 'a drop’s generator');
  }
}

const DATA = {
  name: '<b>&"\'',
  zero: 0,
  no: false,
  nothing: null,
  row: { 'with-dash': 'dash', cells: [{ text: 'one' }, { text: 'two' }], deep: { er: { est: 'x' } } },
  list: ['a', 'b', 'c'],
  at: 1,
  key: 'deep',
  empty_list: [],
  words: 'a b',
  own: { constructor: 'made', toString: 'said', size: 7, first: 'one', nothing: undefined },
};

const FORMS = [
  '{{ name }}|{{ zero }}|{{ no }}|{{ nothing }}|{{ missing }}|{{ missing.deeper }}|{{ "text" }}|{{ 3.5 }}|{{ true }}|{{ nil }}',
  '{{ row.cells[0].text }}|{{ row.cells[at].text }}|{{ row["with-dash"] }}|{{ row[key].er.est }}|{{ row.cells[-1].text }}|{{ "row".size }}',
  '{{ list.size }}|{{ list.first }}|{{ list.last }}|{{ name.size }}|{{ row.cells.size }}|{{ list }}|{{ (1..3) | join: "," }}',
  '{{ list | join: "-" }}|{{ missing | default: "none" }}|{{ no | default: "none" }}|{{ no | default: "none", ' +
    'allow_false: true }}|{{ words | split: " " | last | upcase }}',
  '{% if zero %}0{% endif %}{% if nothing %}n{% endif %}{% if no or missing %}x{% elsif at == 1 and key == "deep" %}both{% endif %}',
  '{% if at > 0 and at < 2 or no %}between{% endif %}{% if list contains "b" %}has{% endif %}{% if name ' +
    'contains "&" %}sign{% endif %}{% if not no %}not{% endif %}',
  '{% if empty_list == empty %}empty{% endif %}{% if missing == blank %}blank{% endif %}{% if nothing == nil ' +
    '%}nil{% endif %}{% unless no %}unless{% endunless %}',
  '{% case key %}{% when "a" %}a{% when "deep" %}deep{% endcase %}{% assign own = row.cells[1].text | append: ' +
    '"!" %}{{ own }}{% capture kept %}{{ own }}{% endcapture %}{{ kept }}',
  '{% for item in list reversed limit: 2 %}{{ forloop.index }}{{ item }}{% assign seen = item %}{% endfor %}{{ ' +
    'seen }}{% for n in (1..at) %}{{ n }}{% endfor %}',
  '{% for item in list %}{% if item == "b" %}{% continue %}{% endif %}{{ item }}{% if item == "c" %}{% break ' +
    '%}{% endif %}-{% else %}none{% endfor %}{% for item in empty_list %}x{% else %}none{% endfor %}',
  '{% for cell in row.cells %}{% for item in list %}{% if forloop.last %}{% break %}{% endif %}{{ cell.text ' +
    '}}{{ item }}{% endfor %},{% endfor %}',
  '{% case at %}{% when 1 %}one{% when 2, 3 %}more{% when 1 %}again{% else %}none{% endcase %}{% case at %}{% ' +
    'when "1" %}text{% else %}none{% endcase %}',
  '{% case missing %}{% when nil %}nil{% when at %}at{% else %}none{% endcase %}{% case empty_list %}{% when ' +
    'empty %}empty{% endcase %}{% case nothing %}{% when blank %}blank{% endcase %}',
  '{% case row.cells[0].text %}{% when row.cells[1].text %}two{% when "one" or "other" %}{% if zero %}{{ name ' +
    '}}{% endif %}{% endcase %}{% case list %}{% when list %}same{% endcase %}',
  '{% unless missing %}{% unless at == 1 %}no{% elsif key == "deep" %}elsif{% else %}else{% endunless %}{% else ' +
    '%}no{% endunless %}{% if later.missing %}x{% else %}else{% endif %}',
  '{% for item in list %}{% case item %}{% when "a", "b" %}{{ item }}{% when "b" %}+{% break %}{% when true or ' +
    '1 %}x{% else %}never{% endcase %}{% endfor %}',
  '{% for item in row %}{{ item[0] }}{% endfor %}{% for item in name %}{{ item }}{% endfor %}{% for item in ' +
    'list offset: 1 %}{{ item }}{% endfor %}{% for item in list limit: 1, offset: continue %}{{ item }}{% else ' +
    '%}-{% endfor %}',
  '{% assign empty_too = list | where: "x" %}{{ empty_too.size }}{% if at != "1" and no == false %}{{ nothing | ' +
    'default: row.deep.er.est }}{% endif %}{% if not missing or no %}not{% endif %}',
  '{% if at >= 1 %}a{% endif %}{% if at <= 0 %}b{% endif %}{% if missing > 0 or missing < 1 or nothing >= 0 %}c{% endif %}{% if nothing ' +
    '<= -1 %}d{% endif %}{% if "10" < "9" %}text{% endif %}{% if "10" > 9 %}number{% endif %}{% if name > list %}list{% endif %}',
  '{% if name == blank %}a{% endif %}{% if words != blank %}b{% endif %}{% if no == blank and zero != blank %}c{% endif %}{% if "  " ' +
    '== blank %}d{% endif %}{% if blank == missing %}e{% endif %}{% if empty_list != blank or row == blank %}f{% endif %}',
  '{% if nothing == blank and "" == blank and blank == blank %}h{% endif %}{% if empty < 1 %}x{% else %}i{% endif %}',
  '{% if at == empty %}g{% else %}i{% endif %}',
  '{{ row.constructor }}|{{ row.toString }}|{{ list.map }}|{{ list.length }}|{{ row.__proto__ }}|{{ own.constructor }}|' +
    '{{ own.toString }}|{{ own.size }}|{{ row.size }}|{{ constructor }}|{{ own.first }}|{{ own.nothing }}',
  '{{ later.slow }}|{{ later.missing }}|{{ name | prepend: row.deep.er.est | escape }}',
];

describe('direct rendering', () => {
  const liquid = new Liquid({ outputEscape: 'escape', ownPropertyOnly: true, strictFilters: true });
  const data = { ...DATA, later: new Later() };

  it.each(FORMS)('renders the same as the library: %s', async (form) => {
    const templates = liquid.parse(form);
    const direct = String(liquid.renderSync(templates, data));
    expect(direct).toBe(await liquid.render(templates, data));
    expect(direct).not.toBe('');
  });

  it('removes the indentation of files in both modes, except where white space matters, and leaves other texts unchanged', async () => {
    const said = (source: string, file?: string): string => String(liquid.renderSync(liquid.parse(source, file), data));
    const list = '<ul>\n    {% for item in list %}\n\t<li\n  class="a  b">{{ item }}  </li>\n  {%- endfor %}\n</ul>';
    expect(said(list, 'home/page')).toBe(
      '<ul>\n\n<li\nclass="a  b">a  </li>\n<li\nclass="a  b">b  </li>\n<li\nclass="a  b">c  </li>\n</ul>',
    );
    expect(await liquid.render(liquid.parse(list, 'home/page'), data)).toBe(said(list, 'home/page'));
    expect(said(list)).toContain('\n\t<li\n  class');
    expect(said('<p>\n  {{ at }}</p><pre>\n  kept\n</pre>', 'home/page')).toBe('<p>\n  1</p><pre>\n  kept\n</pre>');
    expect(said('<textarea>\n  {{ at }}</textarea>', 'home/page')).toBe('<textarea>\n  1</textarea>');
  });

  it('fails with the same message', async () => {
    liquid.registerFilter('fails', () => {
      throw new Error('on purpose');
    });
    const templates = liquid.parse('\n{{ name | fails }}');
    const words = /on purpose, line:2, col:1/;
    expect(() => liquid.renderSync(templates, data)).toThrow(words);
    await expect(liquid.render(templates, data)).rejects.toThrow(words);
  });

  it('names the innermost place of what fails inside other tags', async () => {
    const templates = liquid.parse(
      '{% for item in list %}\n{% if item %}{% case item %}{% when "a" %}\n {{ name | fails }}{% endcase %}{% endif %}{% endfor %}',
    );
    const words = /on purpose, line:3, col:2/;
    expect(() => liquid.renderSync(templates, data)).toThrow(words);
    await expect(liquid.render(templates, data)).rejects.toThrow(words);
  });

  it('stops at the time limit at any depth', () => {
    const templates = liquid.parse(
      '{% for a in (1..2000) %}{% if true %}{% for b in (1..2000) %}{{ b }}{% endfor %}{% endif %}{% endfor %}',
    );
    expect(() => liquid.renderSync(templates, data, { renderLimit: 20 })).toThrow(/render limit exceeded/);
    const empty = liquid.parse('{% for a in (1..900000) %}{% endfor %}');
    expect(() => liquid.renderSync(empty, data, { renderLimit: 5 })).toThrow(/render limit exceeded/);
  });

  it('reads own properties only, in both modes', async () => {
    const templates = liquid.parse('{{ row.constructor }}{{ row.__proto__ }}{{ list.map }}.');
    expect(liquid.renderSync(templates, data)).toBe('.');
    expect(await liquid.render(templates, data)).toBe('.');
  });
});
