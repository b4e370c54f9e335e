import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';

import { queryOf } from '../../http/index.js';
import { StoreError } from '../errors.js';

import { readJsonBody } from './json-body.js';
import type { StoreRequest } from '../call/index.js';

/**
 * Turns what came from outside into a checked form. A rule's `message` is the key of its text (`store.username_length`);
 * fields the form does not have are dropped.
 *
 * @throws StoreError INVALID with the text of the first broken rule
 */
export async function checked<T extends object>(form: Type<T>, value: object): Promise<T> {
  const input = plainToInstance(form, value, { exposeDefaultValues: true });
  const [problem] = await validate(input, { whitelist: true, forbidUnknownValues: true, stopAtFirstError: true });
  if (problem) throw invalid(problem);
  return input;
}

/** How {@link Body} reads; its name is how a description finds the form of an endpoint. */
export async function bodyForm<T extends object>(form: Type<T>, context: ExecutionContext): Promise<T> {
  const body = await readJsonBody(context.switchToHttp().getRequest<StoreRequest>());
  // Nothing given, as many programs write it: an optional field stays as it is, a required one is missing.
  return checked(form, Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null && name !== '__proto__')));
}

/** The JSON body of a handler as a checked form. */
export const Body = createParamDecorator(bodyForm);

/** How {@link Query} reads. */
export function queryForm<T extends object>(form: Type<T>, context: ExecutionContext): Promise<T> {
  const { url = '' } = context.switchToHttp().getRequest<StoreRequest>();
  const params = new URLSearchParams(queryOf(url));
  const record: Record<string, string> = {};
  for (const name of new Set(params.keys())) if (name !== '__proto__') record[name] = params.get(name)!;
  return checked(form, record);
}

/** The query of a handler as a checked form; of a name given twice the first counts. */
export const Query = createParamDecorator(queryForm);

/** A number from the path. @throws StoreError INVALID for anything but a whole number from 1 on */
export const Id = createParamDecorator((name: string | undefined, context: ExecutionContext): number => {
  const { params } = context.switchToHttp().getRequest<{ params: Record<string, string> }>();
  const text = params[name ?? 'id'] ?? '';
  const id = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text) || id > 2_147_483_647) throw StoreError.invalid('store.id_invalid');
  return id;
});

function invalid(problem: ValidationError): StoreError {
  const path = [problem];
  for (let child = problem.children?.[0]; child; child = child.children?.[0]) path.push(child);
  const [message] = Object.values(path.at(-1)!.constraints ?? {});
  const field = path
    .map(({ property }) => property)
    .join('.')
    .slice(0, 60);
  return message?.startsWith('store.') ? StoreError.invalid(message) : StoreError.invalid('store.field_invalid', { field });
}
