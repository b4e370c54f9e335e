import { Drop, Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';

import { evaluateDirectly } from './direct-evaluation.js';

evaluateDirectly();

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
};

const FORMS = [
  '{{ name }}|{{ zero }}|{{ no }}|{{ nothing }}|{{ missing }}|{{ missing.deeper }}|{{ "text" }}|{{ 3.5 }}|{{ true }}|{{ nil }}',
  '{{ row.cells[0].text }}|{{ row.cells[at].text }}|{{ row["with-dash"] }}|{{ row[key].er.est }}|{{ row.cells[-1].text }}|{{ "row".size }}',
  '{{ list.size }}|{{ list.first }}|{{ list.last }}|{{ name.size }}|{{ row.cells.size }}|{{ list }}|{{ (1..3) | join: "," }}',
  '{{ list | join: "-" }}|{{ missing | default: "none" }}|{{ no | default: "none" }}|{{ no | default: "none", allow_false: true }}|{{ words | split: " " | last | upcase }}',
  '{% if zero %}0{% endif %}{% if nothing %}n{% endif %}{% if no or missing %}x{% elsif at == 1 and key == "deep" %}both{% endif %}',
  '{% if at > 0 and at < 2 or no %}between{% endif %}{% if list contains "b" %}has{% endif %}{% if name contains "&" %}sign{% endif %}{% if not no %}not{% endif %}',
  '{% if empty_list == empty %}empty{% endif %}{% if missing == blank %}blank{% endif %}{% if nothing == nil %}nil{% endif %}{% unless no %}unless{% endunless %}',
  '{% case key %}{% when "a" %}a{% when "deep" %}deep{% endcase %}{% assign own = row.cells[1].text | append: "!" %}{{ own }}{% capture kept %}{{ own }}{% endcapture %}{{ kept }}',
  '{% for item in list reversed limit: 2 %}{{ forloop.index }}{{ item }}{% assign seen = item %}{% endfor %}{{ seen }}{% for n in (1..at) %}{{ n }}{% endfor %}',
  '{{ later.slow }}|{{ later.missing }}|{{ name | prepend: row.deep.er.est | escape }}',
];

describe('direct evaluation', () => {
  const liquid = new Liquid({ outputEscape: 'escape', ownPropertyOnly: true, strictFilters: true });
  const data = { ...DATA, later: new Later() };

  it.each(FORMS)('says the same as the library’s own way: %s', async (form) => {
    const templates = liquid.parse(form);
    const direct = String(liquid.renderSync(templates, data));
    expect(direct).toBe(await liquid.render(templates, data));
    expect(direct).not.toBe('');
  });

  it('fails with the same words', async () => {
    liquid.registerFilter('fails', () => {
      throw new Error('on purpose');
    });
    const templates = liquid.parse('\n{{ name | fails }}');
    const words = /on purpose, line:2, col:1/;
    expect(() => liquid.renderSync(templates, data)).toThrow(words);
    await expect(liquid.render(templates, data)).rejects.toThrow(words);
  });

  it('keeps own properties only, in both ways', async () => {
    const templates = liquid.parse('{{ row.constructor }}{{ row.__proto__ }}{{ list.map }}.');
    expect(liquid.renderSync(templates, data)).toBe('.');
    expect(await liquid.render(templates, data)).toBe('.');
  });
});
