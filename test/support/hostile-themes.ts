/** Home pages of harmful or faulty themes, and the error on the Themes page for each. The default theme is used instead. */
export const FAILING_VIEWS: Readonly<Record<string, { readonly view: string; readonly named: RegExp }>> = {
  'does not parse': { view: '{% if %}', named: /invalid value expression/ },
  'never ends': {
    view: `{% assign l = '0123456789' | split: '' %}${'{% for a in l %}'.repeat(12)}${'{% endfor %}'.repeat(12)}`,
    named: /render limit/,
  },
  'includes itself': { view: "{% partial 'index' %}", named: /nested more than 16/ },
  'is its own layout': { view: "{% layout 'home/index' %}", named: /nested more than 16/ },
  'nests eight thousand conditions': { view: '{% if 1 %}'.repeat(8_000) + 'x' + '{% endif %}'.repeat(8_000), named: /nested more than 32/ },
  'nests forty thousand brackets': { view: `{{ a${'[a'.repeat(40_000)}${']'.repeat(40_000)} }}`, named: /more than 100 brackets/ },
  'chains ten thousand filters': { view: `{{ a${' | upcase'.repeat(10_000)} }}`, named: /more than 100/ },
  'chains ten thousand conditions': { view: `{% if a${' and a'.repeat(10_000)} %}{% endif %}`, named: /more than 100/ },
  'nests as deep as it may, sixteen times': {
    view: `${'{% if 1 %}'.repeat(30)}{% partial 'index' %}${'{% endif %}'.repeat(30)}`,
    named: /nested more than 16/,
  },
  // Nested loops: creating a list of a million items would take as long as printing a page of maximum size.
  'prints without end': {
    view: `${'{% for a in (1..99) %}'.repeat(6)}${'x'.repeat(150_000)}${'{% endfor %}'.repeat(6)}`,
    named: /page size limit/,
  },
  'captures what doubles': {
    view: "{% assign a = 'xx' %}{% for i in (1..60) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}",
    named: /memory alloc limit/,
  },
  'replaces every letter by a book': {
    view: `{% assign a = '${'a'.repeat(50_000)}' | replace: 'a', '${'b'.repeat(100_000)}' %}{{ a }}`,
    named: /memory alloc limit/,
  },
  'writes a date of a million signs': { view: "{{ 'now' | date: '%99999999Y' }}", named: /memory alloc limit/ },
  'goes through a million entries in one step': {
    view: "{% assign a = (1..900000) %}{{ a | where_exp: 'x', 'x > 3' | size }}",
    named: /list size limit/,
  },
  'sorts a million entries': { view: '{% assign a = (1..900000) %}{{ a | sort | size }}', named: /list size limit/ },
  'looks for a letter in a million entries': {
    view: "{% assign a = (1..900000) %}{% for i in (1..9) %}{% if a contains 'x' %}{% endif %}{% endfor %}",
    named: /list size limit/,
  },
  'is larger than a view may be': { view: 'x'.repeat(200_001), named: /larger than 200000/ },
  'asks for a layout outside its folder': { view: "{% layout '../../../../etc/passwd' %}", named: /etc\/passwd/ },
  'uses a tag for files': { view: "{% include '/etc/passwd' %}", named: /include/ },
};

/** Views that print nothing for what they try to read, which is not an error: the page is rendered without it. */
export const READING_VIEWS: Readonly<Record<string, string>> = {
  'partials outside its folder':
    "{% partial '../../../../etc/passwd' %}{% partial '/etc/passwd' %}{% partial '../other/shared/hidden' %}" +
    "{% partial 'shared/../../other/home/hidden' %}",
  'files of another theme':
    "{% partial 'other/hidden' %}{% partial 'hidden' %}{{ '../other/assets/hidden.css' | asset }}{{ 'hidden.css' | asset }}",
  'hidden values':
    '{{ nonce }}{{ frame.nonce }}{{ registers }}{{ environments }}{{ site.constructor }}{{ site.__proto__ }}{{ process.env }}',
};

/** All kinds of scripts a template can contain; each would set `window.stolen`. */
export const SCRIPTS = `
<script>window.stolen = 'inline'</script>
{% capture own %}{% script 'app.js' %}{% endcapture %}
<script nonce="{{ own | split: 'nonce="' | last | split: '"' | first }}">window.stolen = 'nonce'</script>
<script src=data:text/javascript,window.stolen=1 a={% script 'app.js' %}</script>
<script src="{{ 'own.js' | asset }}"></script><script src="/assets/0123456789abcdef/own.js"></script>
<img src="/nothing.png" alt="" onerror="window.stolen = 'handler'">
<a id="link" href="javascript:window.stolen='link'">Link</a>
<iframe src="javascript:parent.stolen='frame'" title="a"></iframe>
<iframe srcdoc="<script>parent.stolen='srcdoc'</script>" title="b"></iframe>
<object data="data:text/html,<script>parent.stolen='object'</script>"></object><embed src="data:text/html,x">
<svg><script>window.stolen = 'svg'</script><animate onbegin="window.stolen = 'svg handler'" attributeName="x" dur="1s"></animate></svg>
<base href="https://thief.invalid/"><p hx-on:load="window.stolen = 'htmx'" hx-trigger="load" hx-get="/" hx-vals="js:{a: window.stolen = 'vals'}"></p>
<p x-data x-init="window.stolen = 'alpine'"></p><p x-data x-html="'<img src=/x onerror=window.stolen=1>'"></p>
`;

/** Broken contents of `theme.json`, as texts because some are not JSON. */
export const BROKEN_MANIFESTS: Readonly<Record<string, string>> = {
  'no JSON': '{',
  nothing: '',
  'a list': '[]',
  null: 'null',
  'a number': '7',
  'larger than it may be': JSON.stringify({ title: 'x'.repeat(600_000) }),
  'a path for a parent': '{"parent":"../../plugins"}',
  'a number for a parent': '{"parent":7}',
};

/** Contents of `theme.json` with wrong types; the theme works without the wrong parts. */
export const WRONG_MANIFESTS: Readonly<Record<string, string>> = {
  'texts that are none': '{"title":{"a":1},"version":7,"description":["x"],"author":null,"scope":"admin"}',
  'a title without end': JSON.stringify({ title: '<script>stolen</script>'.repeat(9_000) }),
  'keys of objects': '{"__proto__":{"title":"x"},"constructor":"x","toString":1}',
  'brackets without end': `{"more":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
  'settings that are no list': '{"settings":{"key":"a"}}',
  'settings of wrong kinds': JSON.stringify({
    settings: [
      null,
      7,
      'text',
      [],
      {},
      { key: '__proto__', type: 'text', label: 'a' },
      { key: 'a', type: 'script', label: 'a' },
      { key: 'b', type: 'colour', label: 'b', default: 'red;}</style><script>stolen</script>' },
      { key: 'c', type: 'choice', label: 'c', options: 'none' },
      { key: 'd', type: 'choice', label: 'd', options: [{ value: '"><script>stolen</script>', label: 'x' }, 7] },
      { key: 'e', type: 'switch', label: { a: 1 }, default: 'yes' },
      { key: 'f', type: 'text', label: 'f', default: 7 },
      { key: 'g', type: 'text', label: 'x'.repeat(9_000) },
      { key: 'a'.repeat(99), type: 'text', label: 'long' },
    ],
  }),
  'settings without end': JSON.stringify({
    settings: Array.from({ length: 3_000 }, (_one, at) => ({ key: `k${at}`, type: 'text', label: 'x' })),
  }),
};
