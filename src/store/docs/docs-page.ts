import type { Shape } from '../http/index.js';

import { formSchema } from './form-schema.js';
import type { StoreRoute } from './store-routes.js';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1.5rem;color:#1f2937;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.05rem;margin:2rem 0 .25rem;font-family:ui-monospace,monospace}
p{margin:.25rem 0}pre{background:#f3f4f6;border-radius:6px;overflow-x:auto;padding:.75rem;font-size:13px}
.who{color:#4b5563}a{color:#1d4ed8}summary{cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}pre{background:#1f2937}.who{color:#9ca3af}a{color:#93c5fd}}`;

/** The endpoints as a page for people. @param nonce of its style */
export function docsPage(routes: readonly StoreRoute[], nonce: string): string {
  const sections = routes.map(section).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Store API</title>
<style nonce="${escapeHtml(nonce)}">${STYLE}</style></head><body><main>
<h1>Store API</h1>
<p>Every answer is <code>{"code": 0, "msg", "data"}</code>; of an error, <code>code</code> is the HTTP status and <code>data</code> is null.
For programs: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
${sections}
</main></body></html>
`;
}

function section({ method, path, access, description, body, query }: StoreRoute): string {
  const token = access?.scope ? `, or a token with the scope <code>${access.scope}</code>` : '';
  const input = description?.multipart
    ? block('Form (multipart/form-data)', { type: 'object', properties: description.multipart })
    : body
      ? block('JSON body', formSchema(body))
      : '';
  const answers = description?.answers;
  const output = typeof answers === 'string' ? `<p>Answers <code>${escapeHtml(answers)}</code>.</p>` : answers ? block('data', answers) : '';
  return `<section><h2>${method} ${escapeHtml(path)}</h2><p>${escapeHtml(description?.summary ?? '')}</p>
${description?.details ? `<p>${escapeHtml(description.details)}</p>` : ''}<p class="who">For: ${access?.level ?? 'nobody'}${token}</p>
${query ? block('Query', formSchema(query)) : ''}${input}${output}</section>`;
}

function block(title: string, schema: Shape): string {
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
