import { escapeHtml } from '../../sdk/index.js';
import { trustedHtml, type TrustedHtml } from '../../theme/index.js';

import type { Content, OpenApiDocument, Operation } from './document.js';

/** Data of the view `api` from an OpenAPI document: endpoints grouped by tag, and schemas as collapsible rows. */
export function docsView(document: OpenApiDocument): object {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ tags: operation.tags, ...endpointView(method, path, operation, document) })),
  );
  return {
    groups: document.tags.map(({ name }) => ({ name, endpoints: endpoints.filter(({ tags }) => tags.includes(name)) })),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({ name, code: linkedCode(schema) })),
  };
}

function endpointView(method: string, path: string, operation: Operation, { components }: OpenApiDocument) {
  const { summary, description, parameters, requestBody, responses } = operation;
  return {
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters: parameters.map(({ name, in: place, required, description: about, schema }) => ({
      name,
      place,
      required,
      about,
      rules: JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value)),
    })),
    body: requestBody ? bodies(requestBody.content) : [],
    answers: Object.entries(responses).map(([status, response]) => {
      // The error format is described once, at the top.
      if ('$ref' in response) return { status, about: components.responses[response.$ref.split('/').at(-1)!]!.description, body: [] };
      return { status, about: response.description, body: bodies(response.content ?? {}) };
    }),
  };
}

const bodies = (content: Content): object[] =>
  Object.entries(content).map(([media, { schema }]) => ({ media, code: Object.keys(schema).length > 0 ? linkedCode(schema) : null }));

/** Renders a schema as code with links for its references. */
function linkedCode(schema: object): TrustedHtml {
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return trustedHtml(text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$1</a>'));
}
