import { applyDecorators, createParamDecorator, type ExecutionContext, Param, type PipeTransform, type Type } from '@nestjs/common';

import { MAX_ID } from '../../database/index.js';
import {
  ApiBody,
  ApiParam,
  checkInput,
  describeForm,
  describing,
  fieldSchemas,
  queryOf,
  type FieldProblem,
  type OpenApi,
} from '../../http/index.js';
import { StoreError } from '../errors.js';
import type { StoreTextKey } from '../texts.js';

import { readJsonBody } from './json-body.js';
import type { StoreRequest } from '../call/index.js';

/**
 * Validates external input as a form; see {@link checkInput}. A rule's `message` is its text key (`store.username_length`).
 *
 * @throws StoreError INVALID, FIELD_INVALID with the first field that broke its rule
 */
export function checked<T extends object>(form: Type<T>, value: object): T {
  return checkInput(form, value, inputRefusal);
}

/** Validates a parameter by its class; see {@link checked}. */
const formPipe: PipeTransform<object, object> = { transform: (value, { metatype }) => checked(metatype as Type<object>, value) };

const jsonFields = createParamDecorator(async (_data: unknown, context: ExecutionContext) => {
  const body = await readJsonBody(context.switchToHttp().getRequest<StoreRequest>());
  // Many clients send null for a missing value: optional fields stay unchanged, required ones are reported as missing.
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null && name !== '__proto__'));
});

const queryFields = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { url = '' } = context.switchToHttp().getRequest<StoreRequest>();
  const params = new URLSearchParams(queryOf(url));
  const record: Record<string, string> = {};
  for (const name of new Set(params.keys())) if (name !== '__proto__') record[name] = params.get(name)!;
  return record;
});

/** Metadata key of the class of an endpoint's body. */
const BODY_FORM = 'store:body';

/** Returns the class of an endpoint's body; undefined if it reads none. */
export const bodyOf = (controller: Type, endpoint: string): Type | undefined =>
  Reflect.getMetadata(BODY_FORM, controller.prototype as object, endpoint) as Type | undefined;

/** Documents the body of an endpoint that parses it itself. */
export const BodyAs = (form: Type, { required = true } = {}): MethodDecorator =>
  applyDecorators(ApiBody({ type: form, required }), (target: object, key?: string | symbol) =>
    Reflect.defineMetadata(BODY_FORM, form, target, key!),
  );

const jsonBody = described(jsonFields(formPipe), (type, api) => {
  const required = Object.values(fieldSchemas(type, api)).some((field) => field.required);
  describeForm(type, api);
  return api.ApiBody({ type, required });
});

/** Injects the JSON body of a handler, validated by the parameter's class. */
export const Body = (): ParameterDecorator => (target, key, index) => {
  Reflect.defineMetadata(BODY_FORM, formOf(target, key, index), target, key!);
  jsonBody(target, key, index);
};

/** Injects the query of a handler, validated by the parameter's class. Of repeated names the first counts. */
export const Query = (): ParameterDecorator =>
  described(queryFields(formPipe), (type, api) =>
    applyDecorators(
      ...Object.entries(fieldSchemas(type, api)).map(
        ([
          name,
          {
            schema: { description, ...schema },
            required,
          },
        ]) => api.ApiQuery({ name, required, description, schema }),
      ),
    ),
  );

const idPipe: PipeTransform<string, number> = {
  transform: (text) => {
    const id = Number(text);
    if (!/^[1-9]\d{0,9}$/.test(text) || id > MAX_ID) throw new StoreError('ID_INVALID');
    return id;
  },
};

/** Injects the path parameter `:id`. @throws StoreError INVALID unless it is a whole number from 1 */
export const Id = (): ParameterDecorator => (target, key, index) => {
  Param('id', idPipe)(target, key, index);
  describe(target, key, ApiParam({ name: 'id', description: 'Numeric id', schema: { type: 'integer', minimum: 1, maximum: MAX_ID } }));
};

/** Returns the class of a parameter. */
function formOf(target: object, key: string | symbol | undefined, index: number): Type {
  return (Reflect.getMetadata('design:paramtypes', target, key!) as Type[])[index]!;
}

/** A parameter decorator that also describes its form in the endpoint's API documentation. */
function described(parameter: ParameterDecorator, describer: (form: Type, api: OpenApi) => MethodDecorator): ParameterDecorator {
  return (target, key, index) => {
    const form = formOf(target, key, index);
    parameter(target, key, index);
    const decorator = describing((api) => describer(form, api));
    describe(target, key, decorator);
  };
}

function describe(target: object, key: string | symbol | undefined, decorator: MethodDecorator): void {
  decorator(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
}

/**
 * Converts validation problems to an error: reports only the first field, with the rule's own text if it has one (`message:
 * 'store.username_length'`).
 */
function inputRefusal([{ field, path, message }]: readonly [FieldProblem, ...FieldProblem[]]): StoreError {
  if (isOwnText(message)) return new StoreError('INVALID', {}, { rule: message, field });
  return new StoreError('FIELD_INVALID', { field: path.slice(0, 60) }, { field });
}

/** Whether a rule's message is a text key, not a class-validator default; `errors.spec.ts` checks that the key exists. */
function isOwnText(message: string): message is StoreTextKey {
  return message.startsWith('store.');
}
