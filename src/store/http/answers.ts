import { applyDecorators, type Type } from '@nestjs/common';
import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiResponse, schemaNameOf } from '../../http/index.js';

import type { StoreStatus } from '../errors.js';

import { COUNT, ID } from './fields.js';

type Schema = SchemaObject | ReferenceObject;
type MethodAndClassDecorator = MethodDecorator & ClassDecorator;

/** Headers by name, and what they say. */
export type HeaderTexts = Readonly<Record<string, string>>;

/** Statuses of errors an endpoint answers on purpose; 5xx can always come besides. */
export type Refusal = Exclude<StoreStatus, 500 | 503>;

/** The answer `{code: 0, msg, data}`, with the class of `data`; null where there is nothing to say but that it was done. */
export const ApiData = (data: Type | null, headers: HeaderTexts = {}): MethodAndClassDecorator =>
  data ? applyDecorators(ApiExtraModels(data), ApiDataSchema(refTo(data), headers)) : ApiDataSchema({ type: 'null' }, headers);

/** The same with a list as `data`. */
export const ApiList = (row: Type, rules: Pick<SchemaObject, 'maxItems'> = {}): MethodAndClassDecorator =>
  applyDecorators(ApiExtraModels(row), ApiDataSchema({ type: 'array', items: refTo(row), ...rules }));

/** The same with a page of a list as `data`. @param rows name of the field with the rows */
export const ApiPage = (row: Type, rows = 'items'): MethodAndClassDecorator =>
  applyDecorators(
    ApiExtraModels(row),
    ApiDataSchema({
      type: 'object',
      properties: {
        [rows]: { type: 'array', items: refTo(row), maxItems: 100 },
        total: { ...COUNT, description: 'Rows on all pages' },
        page: ID,
        page_size: { ...ID, maximum: 100 },
      },
      required: [rows, 'total', 'page', 'page_size'],
      additionalProperties: false,
    }),
  );

/** The same with any schema of `data`. */
export const ApiDataSchema = (data: Schema, headers: HeaderTexts = {}): MethodAndClassDecorator =>
  ApiOkResponse({ description: 'Done', schema: envelopeOf(data), headers: described(headers) });

/** An answer that is no envelope: a file, a page. */
export const ApiFile = (media: string, headers: HeaderTexts = {}, status = 200, description = 'Done'): MethodAndClassDecorator =>
  ApiResponse({ status, description, headers: described(headers), content: { [media]: { schema: bytesOf(media) } } });

/** A part of a file. */
export const ApiPart = (media: string, headers: HeaderTexts): MethodAndClassDecorator => ApiFile(media, headers, 206, 'The part');

/** An answer without a body, such as 304. */
export const ApiEmpty = (status: number, description: string, headers: HeaderTexts = {}): MethodAndClassDecorator =>
  ApiResponse({ status, description, headers: described(headers) });

/** Errors besides those that access, path and body bring with them. */
export const ApiErrors = (...statuses: Refusal[]): MethodAndClassDecorator =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status })));

/** Headers a request may have, and what they do. */
export const ApiRequestHeaders = (headers: HeaderTexts): MethodAndClassDecorator =>
  applyDecorators(...Object.entries(headers).map(([name, description]) => ApiHeader({ name, description, required: false })));

/** Body of a good answer with this `data`. */
export function envelopeOf(data: Schema): SchemaObject {
  return {
    type: 'object',
    properties: { code: { type: 'integer', enum: [0] }, msg: { type: 'string' }, data },
    required: ['code', 'msg', 'data'],
    additionalProperties: false,
  };
}

/** A class among the schemas of the document. */
export const refTo = (model: Type): ReferenceObject => ({ $ref: `#/components/schemas/${schemaNameOf(model)}` });

/** A body of bytes has no schema of its own in OpenAPI 3.1: the media type says it all. */
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
