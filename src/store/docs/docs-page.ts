import { escapeHtml } from '../../sdk/index.js';

import type { Content, OpenApiDocument, Operation } from './document.js';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1.5rem;
color:#1f2937;background:#fff;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:1.5rem 0 .25rem}
p,ul{margin:.25rem 0}ul{padding-left:1.25rem}
pre{background:#f3f4f6;border-radius:6px;overflow-x:auto;overflow-wrap:normal;padding:.75rem;font-size:13px}
.endpoint{border-bottom:1px solid #e5e7eb;padding:.4rem 0}.endpoint>:not(summary){margin-left:1rem}
.who{color:#4b5563}a{color:#1d4ed8}summary{cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}pre{background:#1f2937}
.endpoint{border-color:#374151}.who{color:#9ca3af}a{color:#93c5fd}}`;

/** An OpenAPI document as a page for people: each endpoint and each schema is a line that opens. @param nonce of its style */
export function docsPage(document: OpenApiDocument, nonce: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Store API</title>
<style nonce="${escapeHtml(nonce)}">${STYLE}</style></head><body><main>
<h1>Store API</h1>
<p>Every answer is <code>{"code": 0, "msg", "data"}</code>; of an error, <code>code</code> is the HTTP status and <code>data</code> is null.
For programs: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
${document.tags
  .map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<section><h2>${escapeHtml(name)}</h2>${own.map((entry) => endpoint(entry, document)).join('\n')}</section>`;
  })
  .join('\n')}
<section><h2>Schemas</h2>
${Object.entries(document.components.schemas)
  // A link to what is inside opens it.
  .map(([name, schema]) => `<details><summary>${escapeHtml(name)}</summary><div id="${escapeHtml(name)}">${code(schema)}</div></details>`)
  .join('\n')}
</section></main></body></html>
`;
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function endpoint({ method, path, operation }: Entry, document: OpenApiDocument): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const given = parameters.map(({ name, in: place, required, description: about = '', schema }) => {
    const rules = JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value));
    return (
      `<li><code>${escapeHtml(name)}</code> (${place}${required ? ', required' : ''}) ` +
      `<code>${escapeHtml(rules)}</code> ${escapeHtml(about)}</li>`
    );
  });
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description: about, content = {} } =
      '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;
    // What errors look like is told once, at the top.
    return `<li><code>${status}</code> ${escapeHtml(about)}${'$ref' in response ? '' : bodies(content)}</li>`;
  });
  return `<details class="endpoint"><summary><code>${method} ${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
<p class="who">${escapeHtml(description)}</p>
${given.length ? `<ul>${given.join('')}</ul>` : ''}${requestBody ? `<p>Body:</p>${bodies(requestBody.content)}` : ''}
<p>Answers:</p><ul>${answers.join('')}</ul></details>`;
}

function bodies(content: Content): string {
  return Object.entries(content)
    .map(([media, { schema }]) => {
      const type = `<code>${escapeHtml(media)}</code>`;
      return Object.keys(schema).length === 0 ? ` ${type}` : `<details><summary>${type}</summary>${code(schema)}</details>`;
    })
    .join('');
}

/** A schema; each reference leads to what it names. */
function code(schema: object): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return `<pre>${text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$1</a>')}</pre>`;
}
