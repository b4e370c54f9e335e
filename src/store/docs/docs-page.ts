import type { Content, OpenApiDocument, Operation } from './open-api.js';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1.5rem;color:#1f2937;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.05rem;margin:2rem 0 .25rem;font-family:ui-monospace,monospace}
p,ul{margin:.25rem 0}pre{background:#f3f4f6;border-radius:6px;overflow-x:auto;padding:.75rem;font-size:13px}
.who{color:#4b5563}a{color:#1d4ed8}summary{cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}pre{background:#1f2937}.who{color:#9ca3af}a{color:#93c5fd}}`;

/** An OpenAPI document as a page for people. @param nonce of its style */
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
${operations.map((entry) => section(entry, document)).join('\n')}
${Object.entries(document.components.schemas)
  .map(([name, schema]) => `<section id="${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2>${code(schema)}</section>`)
  .join('\n')}
</main></body></html>
`;
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function section({ method, path, operation }: Entry, document: OpenApiDocument): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const given = parameters.map(({ name, in: place, required, description: about = '', schema }) => {
    const rules = JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value));
    return `<li><code>${escapeHtml(name)}</code> (${place}${required ? ', required' : ''}) <code>${escapeHtml(rules)}</code> ${escapeHtml(about)}</li>`;
  });
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description: about, content = {} } =
      '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;
    // What errors look like is told once, at the top.
    return `<li><code>${status}</code> ${escapeHtml(about)}${'$ref' in response ? '' : bodies(content)}</li>`;
  });
  return `<section><h2>${method} ${escapeHtml(path)}</h2><p>${escapeHtml(summary)}</p><p class="who">${escapeHtml(description)}</p>
${given.length ? `<ul>${given.join('')}</ul>` : ''}${requestBody ? `<p>Body:</p>${bodies(requestBody.content)}` : ''}<p>Answers:</p><ul>${answers.join('')}</ul></section>`;
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
