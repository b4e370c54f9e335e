import { shape, SESSION_COOKIE, type Shape } from '../http/index.js';

import { formSchema } from './form-schema.js';
import type { StoreRoute } from './store-routes.js';

const WHO: Readonly<Record<string, string>> = {
  public: 'Everybody.',
  user: 'Whoever is signed in.',
  developer: 'Developers and administrators.',
  admin: 'Administrators.',
};

const NUMBER_PLACES = /^(id|.*_id|.*Id)$/;

/** The API as an OpenAPI 3.1 document. @param server address of the store, such as `https://store.example` */
export function openApi(routes: readonly StoreRoute[], server: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Store', version: '1', description: 'Every answer is `{"code": 0, "msg", "data"}`; of an error, `code` is the HTTP status and `data` is null.' },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        token: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error: ERROR },
    },
  };
}

/** Body of every error. */
const ERROR: Shape = shape.record({ code: shape.integer('The HTTP status'), msg: shape.text('What is wrong and what to do'), data: shape.nothing() });

/** Body of a good answer with this `data`. */
export function envelopeOf(data: Shape): Shape {
  return shape.record({ code: { type: 'integer', enum: [0] }, msg: shape.text(), data });
}

function operation({ name, path, access, description, body, query }: StoreRoute): object {
  const answers = description?.answers ?? shape.nothing();
  const content = typeof answers === 'string' ? { [answers]: { schema: { type: 'string' } } } : { 'application/json': { schema: envelopeOf(answers) } };
  const requestBody = description?.multipart ? multipartBody(description.multipart) : body ? jsonBody(formSchema(body)) : undefined;
  const level = access?.level ?? 'admin';
  return {
    operationId: name,
    tags: [path.split('/')[2]],
    summary: description?.summary ?? '',
    description: [description?.details, WHO[level], access?.scope ? `A token needs the scope \`${access.scope}\`.` : ''].filter(Boolean).join(' '),
    ...(level === 'public' ? {} : { security: [{ session: [] }, ...(access?.scope ? [{ token: [] }] : [])] }),
    parameters: [...pathParameters(path), ...(query ? queryParameters(formSchema(query)) : [])],
    ...(requestBody ? { requestBody } : {}),
    responses: {
      200: { description: 'Done', content },
      default: { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: NUMBER_PLACES.test(name!) ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
}

function queryParameters(form: Shape): object[] {
  return Object.entries(form.properties ?? {}).map(([name, schema]) => ({ name, in: 'query', required: form.required?.includes(name) ?? false, schema }));
}

function jsonBody(schema: Shape): object {
  return { required: (schema.required?.length ?? 0) > 0, content: { 'application/json': { schema } } };
}

function multipartBody(fields: Readonly<Record<string, Shape & { optional?: boolean }>>): object {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { optional: _optional, ...field }]) => [name, field]));
  const required = Object.keys(fields).filter((name) => !fields[name]!.optional);
  return { required: true, content: { 'multipart/form-data': { schema: { type: 'object', properties, required } } } };
}
