import { type FormField, type OtherAnswer, type Refusal, SESSION_COOKIE, type Shape, shape } from '../http/index.js';

import { formSchema } from './form-schema.js';
import { refusalsOf } from './refusals.js';
import { SharedSchemas } from './shared-schemas.js';
import type { StoreRoute } from './store-routes.js';

const WHO: Readonly<Record<string, string>> = {
  public: 'Everybody.',
  user: 'Whoever is signed in.',
  developer: 'Developers and administrators.',
  admin: 'Administrators.',
};

/** What stands in paths. */
const PLACES: Readonly<Record<string, Shape>> = {
  id: shape.integer('Its number', { minimum: 1, maximum: 2_147_483_647 }),
  type: shape.oneOf('plugin', 'theme'),
  slug: shape.text('In either case of letters', { pattern: '^[A-Za-z0-9_-]{1,63}$' }),
  version: shape.text('In either case of letters', { pattern: '^[0-9A-Za-z.+_-]{1,32}$' }),
  name: shape.text('File name as the upload answered it'),
};

const REFUSALS: Readonly<Record<Refusal, { name: string; description: string }>> = {
  400: { name: 'Invalid', description: 'Something given is not right, or the state does not allow it; `msg` says what.' },
  401: { name: 'NotSignedIn', description: 'Nobody is signed in, or name and password do not fit.' },
  403: { name: 'NotAllowed', description: 'Not for this account or token, somebody else’s, banned, or sent by a page of another site.' },
  404: { name: 'NotFound', description: 'There is none, or none this caller may know of.' },
  413: { name: 'TooLarge', description: 'The body is too large: JSON over 512 KB, fields of a form over 1 MB.' },
  429: { name: 'TooMany', description: 'Too often.' },
};
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } };

/** The API as an OpenAPI 3.1 document. @param server address of the store, such as `https://store.example` */
export function openApi(routes: readonly StoreRoute[], server: string): OpenApiDocument {
  const schemas = new SharedSchemas();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, schemas);
  }
  const error = schemas.place(ERROR);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Store',
      version: '1',
      description:
        'Every answer is `{"code": 0, "msg", "data"}`; of an error, `code` is the HTTP status and `data` is null. `HEAD` answers as `GET` does, without the body. Whoever sends thousands of requests a minute gets 429 anywhere.',
    },
    servers: [{ url: server }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Set by signing up or in; lasts 24 hours.' },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token from `POST /api/auth/tokens`, `svcs_…`, with the scope that is named: `read` or `publish`.',
        },
      },
      responses: {
        ...Object.fromEntries(
          Object.entries(REFUSALS).map(([status, { name, description }]) => [
            name,
            { description, ...(status === '429' ? { headers: RETRY_AFTER } : {}), content: { 'application/json': { schema: error } } },
          ]),
        ),
        Busy: {
          description: 'Too much at once, or the storage is away; nothing was changed.',
          headers: RETRY_AFTER,
          content: { 'application/json': { schema: error } },
        },
        Failed: {
          description: 'Not the caller’s fault; `msg` has a number to ask the administrator about.',
          content: { 'application/json': { schema: error } },
        },
      },
      schemas: schemas.all(),
    },
  };
}

/** What of an OpenAPI document is read again here. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** One endpoint. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Ways to say who is calling: one suffices. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: object }[];
  readonly requestBody?: { required: boolean; content: Content };
  readonly responses: Readonly<Record<string, Response | { $ref: string }>>;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, { schema: object }>>;

/** One answer. */
export interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

/** Body of every error. */
const ERROR: Shape = shape.named(
  'Error',
  shape.record({
    code: shape.integer('The HTTP status', { minimum: 400, maximum: 599 }),
    msg: shape.text('What is wrong and what to do'),
    data: shape.nothing(),
  }),
);

/** Body of a good answer with this `data`. */
export function envelopeOf(data: Shape): Shape {
  return shape.record({ code: { type: 'integer', enum: [0] }, msg: shape.text(), data });
}

function operation(route: StoreRoute, schemas: SharedSchemas): Operation {
  const { name, path, access, description, body, query } = route;
  const { answers = shape.nothing(), headers, others = {}, multipart, details, summary = '', asks = {}, usual = {} } = description ?? {};
  const content: Content =
    typeof answers === 'string' ? mediaContent(answers) : { 'application/json': { schema: schemas.place(envelopeOf(answers)) } };
  const json = description?.body ?? (body && formSchema(body));
  const requestBody = multipart ? multipartBody(multipart, schemas) : json && jsonBody(json, schemas);
  const level = access?.level ?? 'admin';
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary,
    description: [details, WHO[level], access?.scope ? `A token needs the scope \`${access.scope}\`.` : ''].filter(Boolean).join(' '),
    // An endpoint for everybody may know who is calling, and then shows more.
    security: [...(level === 'public' ? [{}] : []), { session: [] }, ...(access?.scope ? [{ token: [access.scope] }] : [])],
    parameters: [...pathParameters(path), ...(query ? queryParameters(formSchema(query), usual) : []), ...headerParameters(asks)],
    ...(requestBody ? { requestBody } : {}),
    responses: {
      200: { description: 'Done', ...headersOf(headers), content },
      ...Object.fromEntries(Object.entries(others).map(([status, answer]) => [status, otherAnswer(answer)])),
      ...Object.fromEntries(refusalsOf(route).map((status) => [status, { $ref: `#/components/responses/${REFUSALS[status].name}` }])),
      503: { $ref: '#/components/responses/Busy' },
      default: { $ref: '#/components/responses/Failed' },
    },
  };
}

function tagOf({ path }: StoreRoute): string {
  const [, first, second] = path.split('/');
  return first === 'api' ? second! : first!;
}

function mediaContent(media: string): Content {
  const isText = /^(text\/|image\/svg|application\/json)/.test(media);
  // In OpenAPI 3.1 a body of bytes has no schema of its own: the media type says it all.
  return { [media]: { schema: media === 'application/json' ? { type: 'object' } : isText ? { type: 'string' } : {} } };
}

function headersOf(headers: Readonly<Record<string, string>> | undefined): { headers?: object } {
  if (!headers) return {};
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, { description, required: true, schema: { type: 'string' } }]),
    ),
  };
}

function otherAnswer({ description, media, headers }: OtherAnswer): Response {
  return { description, ...headersOf(headers), ...(media ? { content: mediaContent(media) } : {}) };
}

function pathParameters(path: string): Operation['parameters'][number][] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: PLACES[name!] ?? shape.text(),
  }));
}

function queryParameters(form: Shape, usual: Readonly<Record<string, string | number>>): Operation['parameters'][number][] {
  return Object.entries(form.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: form.required?.includes(name) ?? false,
    ...(description ? { description } : {}),
    schema: name in usual ? { ...schema, default: usual[name]! } : schema,
  }));
}

function headerParameters(asks: Readonly<Record<string, string>>): Operation['parameters'][number][] {
  return Object.entries(asks).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function jsonBody(schema: Shape, schemas: SharedSchemas): NonNullable<Operation['requestBody']> {
  return { required: (schema.required?.length ?? 0) > 0, content: { 'application/json': { schema: schemas.place(schema) } } };
}

function multipartBody(fields: Readonly<Record<string, FormField>>, schemas: SharedSchemas): NonNullable<Operation['requestBody']> {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { optional: _optional, format, ...field }]) => [
      name,
      format === 'binary' ? fileField(field) : { ...field, ...(format ? { format } : {}) },
    ]),
  );
  const required = Object.keys(fields).filter((name) => !fields[name]!.optional);
  return { required: true, content: { 'multipart/form-data': { schema: schemas.place({ type: 'object', properties, required }) } } };
}

/** A file in a form as OpenAPI 3.1 says it. */
function fileField({ description }: Shape): Shape {
  return { type: 'string', contentMediaType: 'application/octet-stream', ...(description ? { description } : {}) };
}
