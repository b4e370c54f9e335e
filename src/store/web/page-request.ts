import type { Request } from 'express';

import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';

import { MAX_ID } from '../../database/index.js';
import { BodyError, MAX_FIELDS, queryOf } from '../../http/index.js';
import type { StoreCall, StoreRequest } from '../call/index.js';
import { checked } from '../http/index.js';
import { StoreError } from '../errors.js';

import { STORE_FORM_METADATA, type StoreFormDeclaration } from './page-declaration.js';

/** Request passed to a page method. */
export interface PageRequest {
  readonly call: StoreCall;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** Of repeated names the first counts. */
  readonly query: Readonly<Record<string, string>>;
  /** The rejected form to show again. */
  readonly refused?: RefusedForm;
}

/** Values of a rejected form, shown again on the page. */
export interface RefusedForm {
  readonly values: Readonly<Record<string, string>>;
}

/** Request passed to a form method. */
export interface FormRequest extends PageRequest {
  readonly fields: URLSearchParams;
  readonly req: StoreRequest;
}

/** Maximum bytes of a form without a file: a fully escaped description of 100 KB, plus the other fields. */
const FORM_BYTES = { known: 384 * 1024, unknown: 64 * 1024 };

/** Returns the path parameter `:id`. @throws StoreError NOT_FOUND for a number no row can have */
export function idOf({ params }: PageRequest): number {
  const id = Number(params.id);
  if (!Number.isInteger(id) || id < 1 || id > MAX_ID) throw new StoreError('NOT_FOUND');
  return id;
}

/** Returns a whole number from 1 in the query; undefined for anything else. */
export function numberOf({ query }: PageRequest, name: string): number | undefined {
  const given = query[name] ?? '';
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
}

/** Removes query parameters whose value is undefined in `known`: ignored values must not be shown as active filters. */
export function withKnown<R extends PageRequest>(request: R, known: Readonly<Record<string, unknown>>): R {
  const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => !(name in known) || known[name] !== undefined));
  return { ...request, query };
}

/**
 * Validates the form's fields with an endpoint's class.
 *
 * @param more fields that need conversion
 * @throws StoreError INVALID with the field that broke its rule
 */
export function formOf<T extends object>(form: Type<T>, { fields }: FormRequest, more: Readonly<Record<string, unknown>> = {}): T {
  return checked(form, { ...firstOf(fields), ...more });
}

/** Path of the page the form was on, with its filters; `otherwise` if the browser sends no referrer. */
export function backTo({ req }: FormRequest, otherwise = '/store/'): string {
  return pathOfReferer(req.headers.referer) ?? otherwise;
}

/** Path and query of a referring store page; null for anything else. */
export function pathOfReferer(referer: string | undefined): string | null {
  if (!referer || !URL.canParse(referer)) return null;
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('/store/') ? pathname + search : null;
}

/** Builds the request of a page method. */
export function pageRequest(req: StoreRequest & Pick<Request, 'params' | 'originalUrl'>): PageRequest {
  const query = firstOf(new URLSearchParams(queryOf(req.originalUrl)));
  return { call: req.store!, params: req.params as Record<string, string>, query };
}

/** Fields by name. Of repeated names the first counts. */
export function firstOf(fields: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of new Set(fields.keys())) if (name !== '__proto__') values[name] = fields.get(name)!;
  return values;
}

/** Injects the request into a page or form method. */
export const Requested = createParamDecorator(async (_data: unknown, context: ExecutionContext): Promise<PageRequest | FormRequest> => {
  const req = context.switchToHttp().getRequest<StoreRequest & Request>();
  const form = Reflect.getMetadata(STORE_FORM_METADATA, context.getHandler()) as StoreFormDeclaration | undefined;
  if (!form) return pageRequest(req);
  const fields = form.hasFile ? new URLSearchParams() : await readForm(req);
  req.body = fields;
  return { ...pageRequest(req), fields, req };
});

/**
 * Reads URL-encoded form fields and normalizes CRLF to LF.
 *
 * @throws BodyError as BodyIntake.read, and BODY_TOO_LARGE for more than {@link MAX_FIELDS}
 * @throws StoreError BODY_MALFORMED
 */
async function readForm(req: StoreRequest): Promise<URLSearchParams> {
  const bytes = await req.admit!(FORM_BYTES[req.store?.caller ? 'known' : 'unknown']).read();
  if (!/^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? '')) throw new StoreError('BODY_MALFORMED');
  const fields = new URLSearchParams(bytes.toString('utf8'));
  if (fields.size > MAX_FIELDS) throw new BodyError('BODY_TOO_LARGE');
  return new URLSearchParams([...fields].map(([name, value]): [string, string] => [name, value.replace(/\r\n/g, '\n')]));
}
