import type { OpenAPIObject, OperationObject, SchemaObject, SecurityRequirementObject } from '@nestjs/swagger';

import { fieldSchemas, openApi, type OpenApi } from '../http/index.js';

import type { OperationRecord } from './operation.js';
import type { RouteHandler } from './routes/route-dispatcher.js';
import type { RegisteredRoute } from './routes/route-table.js';

const TEXT: SchemaObject = { type: 'string' };
const SCHEMAS: Record<string, SchemaObject> = {
  Success: {
    type: 'object',
    description: 'Its values are in `data` and next to it.',
    properties: {
      success: { type: 'boolean', enum: [true] },
      qk: { type: 'integer', enum: [1] },
      code: { anyOf: [TEXT, { type: 'integer' }] },
      msg: TEXT,
      data: { type: 'object' },
    },
    required: ['success', 'qk', 'code', 'msg', 'data'],
  },
  Page: {
    type: 'object',
    properties: { total: { type: 'integer', minimum: 0 }, rows: { type: 'array', items: { type: 'object' } } },
    required: ['total', 'rows'],
  },
  Failure: {
    type: 'object',
    description: '`err` is the kind of error, `fields` the problem of each field, `rid` the id of an internal error.',
    properties: {
      success: { type: 'boolean', enum: [false] },
      qk: { type: 'integer', enum: [4] },
      code: { anyOf: [TEXT, { type: 'integer' }] },
      msg: TEXT,
      err: TEXT,
      data: { type: 'null' },
      fields: { type: 'object', additionalProperties: TEXT },
      rid: TEXT,
    },
    required: ['success', 'qk', 'code', 'msg', 'err', 'data'],
  },
  SignedOut: { type: 'object', properties: { code: TEXT }, required: ['code'] },
};
const ANSWER =
  'Success, a page of a list, or an error: all with status 200, because deployed clients drop the body of a ' +
  '4xx. Other operations of plugins return any format.';

/** Methods used to describe a route that accepts every method. */
const ANY_METHOD = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Builds an OpenAPI document of the AJAX operations and the routes of plugins from their records. All operations share one path; `gn` in
 * the query selects the operation.
 */
export async function operationsDocument(
  records: readonly OperationRecord[],
  routes: readonly RegisteredRoute<RouteHandler>[],
  server: string,
): Promise<OpenAPIObject> {
  const api = await openApi();
  const settings = new api.DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Panel')
    .setVersion('1')
    .setDescription('HTTP forms; `gn` may also be a form field. See docs/panel-api.md.')
    .addServer(server)
    .addSecurity('admin', { type: 'apiKey', in: 'cookie', name: 'admin_token' })
    .addSecurity('user', { type: 'apiKey', in: 'cookie', name: 'user_token' })
    .addTag('admin')
    .addTag('user')
    .addTag('plugins')
    .build();
  const sorted = records.toSorted((a, b) => a.side.localeCompare(b.side) || a.name.localeCompare(b.name));
  return {
    ...settings,
    paths: {
      ...Object.fromEntries(sorted.map((record) => [`/${record.side}/ajax.php?gn=${record.name}`, { post: operationOf(record, api) }])),
      ...pathsOf(routes),
    },
    components: { ...settings.components, schemas: SCHEMAS },
  };
}

/** If several routes have the same method and path, the one tried first is described. */
function pathsOf(routes: readonly RegisteredRoute<RouteHandler>[]): OpenAPIObject['paths'] {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const route of routes.toSorted((a, b) => a.priority - b.priority || a.sequence - b.sequence)) {
    const methods = route.method === '*' ? ANY_METHOD : [route.method.toLowerCase()];
    const path = (paths[route.path] ??= {});
    for (const method of methods) path[method] ??= routeOf(route, method);
  }
  return paths;
}

function routeOf({ owner, path, handler }: RegisteredRoute<RouteHandler>, method: string): OperationObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return {
    operationId: `${owner} ${method} ${path}`,
    tags: ['plugins'],
    description:
      `By ${owner}; rate class \`${handler.rate}\`.${typeof handler.auth === 'function' ? ' The plugin decides who may call it.' : ''}` +
      `${handler.csrfExempt ? ' Other sites may call it.' : ''}`,
    security: securityOf(handler.auth),
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
    responses: { default: { description: 'Defined by the plugin' } },
  };
}

function operationOf({ owner, side, name, auth, input, rate, secondProof }: OperationRecord, api: OpenApi): OperationObject {
  const schema = formOf(input, api);
  return {
    operationId: `${side}.${name}`,
    tags: [side],
    description:
      `By ${owner}; rate class ` +
      `\`${rate}\`.${typeof auth === 'function' ? ' The plugin decides who may call it.' : ''}` +
      `${secondProof ? ' Accounts with a second factor must verify a code first (`f2zm`).' : ''}`,
    security: securityOf(auth),
    requestBody: {
      content: Object.fromEntries(
        ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data'].map((media) => [media, { schema }]),
      ),
    },
    responses: {
      200: {
        description: ANSWER,
        content: {
          'application/json': { schema: { anyOf: Object.keys(SCHEMAS).map((one) => ({ $ref: `#/components/schemas/${one}` })) } },
        },
      },
      default: {
        description:
          '403 request from another site, 413 too large, 429 rate limit and 503 overload (both with `Retry-After`), ' +
          '500 internal error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

/** A plugin's operation without a form accepts any fields. */
function formOf(input: OperationRecord['input'], api: OpenApi): SchemaObject {
  const fields = input ? Object.entries(fieldSchemas(input, api)) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
    required: fields.flatMap(([name, { required }]) => (required ? [name] : [])),
  };
}

function securityOf(auth: OperationRecord['auth']): SecurityRequirementObject[] {
  return auth === 'admin' || auth === 'user' ? [{ [auth]: [] }] : [{}];
}
