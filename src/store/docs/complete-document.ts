import type { OpenAPIObject } from '@nestjs/swagger';

import { ACCESS_EXTENSION, type AccessRule, type Refusal } from '../http/index.js';

import type { OpenApiDocument, Operation, ScannedOperation } from './document.js';

const ACCESS_TEXTS: Readonly<Record<AccessRule['level'], string>> = {
  public: 'Everybody.',
  user: 'Signed-in accounts.',
  developer: 'Developers and administrators.',
  admin: 'Administrators.',
};

const REFUSALS: Readonly<Record<Refusal, { name: string; description: string }>> = {
  400: { name: 'Invalid', description: 'A value is invalid, or the current state does not allow the request; `msg` says which.' },
  401: { name: 'NotSignedIn', description: 'Not signed in, or wrong name or password.' },
  403: {
    name: 'NotAllowed',
    description: 'Not allowed for this account or token, owned by another account, banned, or sent by a ' + 'page of another site.',
  },
  404: { name: 'NotFound', description: 'It does not exist, or is not visible to the caller.' },
  409: { name: 'ChangedMeanwhile', description: 'It was changed by somebody else since `row_version` was read; nothing was saved.' },
  413: { name: 'TooLarge', description: 'The body is too large: JSON over 512 KB, fields of a form over 1 MB.' },
  429: { name: 'TooMany', description: 'Too often.' },
};
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } };

const ERROR = {
  type: 'object',
  properties: {
    code: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status' },
    msg: { type: 'string', description: 'What is wrong and what to do' },
    data: { type: 'null' },
  },
  required: ['code', 'msg', 'data'],
  additionalProperties: false,
};
const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/**
 * Adds what decorators do not say because it is common to many endpoints: required access, the errors this implies, and that responses have
 * no further fields.
 */
export function completeDocument(scanned: OpenAPIObject): OpenApiDocument {
  const document = scanned as unknown as OpenApiDocument;
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(document.paths).sort(([a], [b]) => a.localeCompare(b))) {
    for (const [method, operation] of Object.entries(methods)) {
      // Routes without an access rule are not part of the API: pages and the handler of unknown paths.
      if (isScanned(operation)) (paths[path] ??= {})[method] = completeOperation(operation, method, path);
    }
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const answers = new Set(operations.flatMap(({ responses }) => schemasIn(responses, document)));
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    // An undescribed response field is a mistake; unknown fields in forms are ignored.
    answers.has(name) ? { ...schema, additionalProperties: false } : schema,
  ]);
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  return {
    ...document,
    paths,
    tags: [...tags].map((name) => ({ name })),
    components: { ...document.components, responses: sharedResponses(), schemas: { ...Object.fromEntries(schemas), Error: ERROR } },
  };
}

function isScanned(operation: Operation): operation is ScannedOperation {
  return ACCESS_EXTENSION in operation;
}

function completeOperation(operation: ScannedOperation, method: string, path: string): Operation {
  const { [ACCESS_EXTENSION]: access, description, responses, ...rest } = operation;
  const refusals = refusalsOf(operation, method, path);
  const { scope } = access;
  return {
    ...rest,
    description: [description, ACCESS_TEXTS[access.level], scope ? `A token needs the scope \`${scope}\`.` : ''].filter(Boolean).join(' '),
    responses: {
      ...responses,
      ...Object.fromEntries(refusals.map((status) => [status, { $ref: `#/components/responses/${REFUSALS[status].name}` }])),
      503: { $ref: '#/components/responses/Busy' },
      default: { $ref: '#/components/responses/Failed' },
    },
  };
}

/**
 * Error statuses of an endpoint: those implied by its access, path and inputs, and those it declares. test/store/description.spec.ts
 * triggers each of them.
 */
function refusalsOf(operation: ScannedOperation, method: string, path: string): Refusal[] {
  const { parameters, requestBody, responses } = operation;
  const isOpen = operation[ACCESS_EXTENSION].level === 'public';
  const hasQuery = parameters.some((parameter) => parameter.in === 'query');
  const applies: Readonly<Record<Refusal, boolean>> = {
    400: Boolean(requestBody) || hasQuery || path.includes('{id}'),
    401: !isOpen,
    // Wrong role or a token without the scope; for changes also a cross-site request.
    403: !isOpen || method !== 'get',
    404: path.includes('{'),
    409: false,
    413: Boolean(requestBody),
    429: false,
  };
  return Object.entries(applies).flatMap(([status, brought]) => (brought || status in responses ? [Number(status) as Refusal] : []));
}

function sharedResponses(): OpenApiDocument['components']['responses'] {
  return {
    ...Object.fromEntries(
      Object.entries(REFUSALS).map(([status, { name, description }]) => [
        name,
        { description, ...(status === '429' ? { headers: RETRY_AFTER } : {}), content: ERROR_CONTENT },
      ]),
    ),
    Busy: { description: 'Overloaded, or the storage is unavailable; nothing was changed.', headers: RETRY_AFTER, content: ERROR_CONTENT },
    Failed: { description: 'Internal error; `msg` contains an id for the administrator.', content: ERROR_CONTENT },
  };
}

/** Returns the schemas a node refers to, directly or indirectly. */
function schemasIn(node: unknown, { components }: OpenApiDocument): string[] {
  const names = new Set<string>();
  const pending = [node];
  for (const next of pending) {
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name!)) continue;
      names.add(name!);
      pending.push(components.schemas[name!]);
    }
  }
  return [...names];
}
