import { applyDecorators, type Type } from '@nestjs/common';
import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiResponse, schemaNameOf } from '../../http/index.js';

import type { StoreStatus } from '../errors.js';

import { COUNT, ID } from './fields.js';

type Schema = SchemaObject | ReferenceObject;
type MethodAndClassDecorator = MethodDecorator & ClassDecorator;

/** Headers by name with their descriptions. */
export type HeaderTexts = Readonly<Record<string, string>>;

/** Error statuses an endpoint declares; 5xx is always possible. */
export type ErrorStatus = Exclude<StoreStatus, 500 | 503>;

/** Documents the response `{code: 0, msg, data}` with the class of `data`; null for no data. */
export const ApiData = (data: Type | null, headers: HeaderTexts = {}): MethodAndClassDecorator =>
  data ? applyDecorators(ApiExtraModels(data), ApiDataSchema(refTo(data), headers)) : ApiDataSchema({ type: 'null' }, headers);

/** As {@link ApiData}, with a list as `data`. */
export const ApiList = (row: Type, rules: Pick<SchemaObject, 'maxItems'> = {}): MethodAndClassDecorator =>
  applyDecorators(ApiExtraModels(row), ApiDataSchema({ type: 'array', items: refTo(row), ...rules }));

/** As {@link ApiData}, with one page of a list as `data`. @param rows name of the field that holds the rows */
export const ApiPage = (row: Type, rows = 'items'): MethodAndClassDecorator =>
  applyDecorators(
    ApiExtraModels(row),
    ApiDataSchema({
      type: 'object',
      properties: {
        [rows]: { type: 'array', items: refTo(row), maxItems: 100 },
        total: { ...COUNT, description: 'Number of rows on all pages' },
        page: ID,
        page_size: { ...ID, maximum: 100 },
      },
      required: [rows, 'total', 'page', 'page_size'],
      additionalProperties: false,
    }),
  );

/** As {@link ApiData}, with any schema for `data`. */
export const ApiDataSchema = (data: Schema, headers: HeaderTexts = {}): MethodAndClassDecorator =>
  ApiOkResponse({ description: 'Success', schema: envelopeOf(data), headers: described(headers) });

/** Documents a response without an envelope, such as a file or page. */
export const ApiFile = (media: string, headers: HeaderTexts = {}, status = 200, description = 'Success'): MethodAndClassDecorator =>
  ApiResponse({ status, description, headers: described(headers), content: { [media]: { schema: bytesOf(media) } } });

/** Documents a partial response (206). */
export const ApiPart = (media: string, headers: HeaderTexts): MethodAndClassDecorator => ApiFile(media, headers, 206, 'The requested part');

/** Documents a response without a body, such as 304. */
export const ApiEmpty = (status: number, description: string, headers: HeaderTexts = {}): MethodAndClassDecorator =>
  ApiResponse({ status, description, headers: described(headers) });

/** Documents errors besides those implied by access, path and body. */
export const ApiErrors = (...statuses: ErrorStatus[]): MethodAndClassDecorator =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status })));

/** Documents optional request headers. */
export const ApiRequestHeaders = (headers: HeaderTexts): MethodAndClassDecorator =>
  applyDecorators(...Object.entries(headers).map(([name, description]) => ApiHeader({ name, description, required: false })));

/** Schema of a success response with this `data`. */
export function envelopeOf(data: Schema): SchemaObject {
  return {
    type: 'object',
    properties: { code: { type: 'integer', enum: [0] }, msg: { type: 'string' }, data },
    required: ['code', 'msg', 'data'],
    additionalProperties: false,
  };
}

/** Reference to a class in the document's schemas. */
export const refTo = (model: Type): ReferenceObject => ({ $ref: `#/components/schemas/${schemaNameOf(model)}` });

/** Binary bodies have no schema in OpenAPI 3.1; the media type suffices. */
function bytesOf(media: string): SchemaObject {
  if (media === 'application/json') return { type: 'object' };
  return /^(text\/|image\/svg)/.test(media) ? { type: 'string' } : {};
}

function described(headers: HeaderTexts): Record<string, { description: string; required: boolean; schema: SchemaObject }> | undefined {
  if (Object.keys(headers).length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, required: true, schema: { type: 'string' } }]),
  );
}
