import type { Request } from 'express';

import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';

import { MAX_ID } from '../../database/index.js';
import { BodyError, MAX_FIELDS, queryOf } from '../../http/index.js';
import type { StoreCall, StoreRequest } from '../call/index.js';
import { checked } from '../http/index.js';
import { StoreError } from '../errors.js';

import { STORE_FORM_METADATA, type StoreFormDeclaration } from './page-declaration.js';

/** Request as the method of a page gets it. */
export interface PageRequest {
  readonly call: StoreCall;
  /** Places of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Of a name given twice the first counts. */
  readonly query: Readonly<Record<string, string>>;
  /** A form of the page that was sent and is shown again. */
  readonly refused?: RefusedForm;
}

/** Values of a form that was refused, which the page shows again. */
export interface RefusedForm {
  readonly values: Readonly<Record<string, string>>;
}

/** Request as the method of a form gets it. */
export interface FormRequest extends PageRequest {
  readonly fields: URLSearchParams;
  readonly req: StoreRequest;
}

/** Bytes of a form without a file: a description of 100 KB whose every byte is escaped, and the rest. */
const FORM_BYTES = { known: 384 * 1024, unknown: 64 * 1024 };

/** The number `:id` of the path. @throws StoreError NOT_FOUND for one no row can have */
export function idOf({ params }: PageRequest): number {
  const id = Number(params.id);
  if (!Number.isInteger(id) || id < 1 || id > MAX_ID) throw new StoreError('NOT_FOUND');
  return id;
}

/** A whole number from 1 on that an address may name; undefined for anything else. */
export function numberOf({ query }: PageRequest, name: string): number | undefined {
  const given = query[name] ?? '';
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
}

/** The request as if its address had none of what is not `known`: what counts for nothing is not said to narrow the page either. */
export function withKnown<R extends PageRequest>(request: R, known: Readonly<Record<string, unknown>>): R {
  const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => !(name in known) || known[name] !== undefined));
  return { ...request, query };
}

/**
 * The fields of a form as an endpoint takes them: by the rules of its class.
 *
 * @param more fields that are not sent as they are taken
 * @throws StoreError INVALID, with the field that broke its rule
 */
export function formOf<T extends object>(form: Type<T>, { fields }: FormRequest, more: Readonly<Record<string, unknown>> = {}): T {
  return checked(form, { ...firstOf(fields), ...more });
}

/** The page a form was on, with its filters; `otherwise` where the browser does not say. */
export function backTo({ req }: FormRequest, otherwise = '/store/'): string {
  return pathOfReferer(req.headers.referer) ?? otherwise;
}

/** Path and query of a page of the store. */
export function pathOfReferer(referer: string | undefined): string | null {
  if (!referer || !URL.canParse(referer)) return null;
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('/store/') ? pathname + search : null;
}

/** The request of a page's method. */
export function pageRequest(req: StoreRequest & Pick<Request, 'params' | 'originalUrl'>): PageRequest {
  const query = firstOf(new URLSearchParams(queryOf(req.originalUrl)));
  return { call: req.store!, params: req.params as Record<string, string>, query };
}

/** Fields by their names. Of a name given twice the first counts. */
export function firstOf(fields: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of new Set(fields.keys())) if (name !== '__proto__') values[name] = fields.get(name)!;
  return values;
}

/** Gives the request to a page's or a form's method. */
export const Requested = createParamDecorator(async (_data: unknown, context: ExecutionContext): Promise<PageRequest | FormRequest> => {
  const req = context.switchToHttp().getRequest<StoreRequest & Request>();
  const form = Reflect.getMetadata(STORE_FORM_METADATA, context.getHandler()) as StoreFormDeclaration | undefined;
  if (!form) return pageRequest(req);
  const fields = form.hasFile ? new URLSearchParams() : await readForm(req);
  req.body = fields;
  return { ...pageRequest(req), fields, req };
});

/**
 * The fields of a form as browsers send them. Lines end as they do in files, not as in forms.
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
