import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateBy, ValidateNested, type ValidationOptions } from 'class-validator';

import { ApiProperty, ApiPropertyOptional, VersionField } from '../../http/index.js';

import { hasInvisible } from '../packages/index.js';

/** Validates the length of a text in code points, so that an emoji counts as one. */
export function Characters(min: number, max: number, options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.length > 2 * max) return false;
    const { length } = [...value];
    return length >= min && length <= max;
  };
  return applyDecorators(
    ValidateBy({ name: 'characters', validator: { validate } }, options),
    ApiProperty({ type: 'string', minLength: min, maxLength: max }),
  );
}

/**
 * Validates that all characters are visible: no control characters and no direction marks.
 *
 * @param options.lines whether line breaks are allowed
 */
export function Visible({ lines = false, ...options }: ValidationOptions & { lines?: boolean }): PropertyDecorator {
  return ValidateBy(
    {
      name: 'visible',
      validator: { validate: (value: unknown) => typeof value === 'string' && !hasInvisible(lines ? value.replace(/\r?\n/g, '') : value) },
    },
    options,
  );
}

/** The field `row_version` of a form that updates stored data: {@link VersionField} with its API description. */
export const RowVersion = (): PropertyDecorator =>
  applyDecorators(
    VersionField(),
    ApiPropertyOptional({
      type: 'string',
      maxLength: 10_000,
      description: 'As it was read: changes made by others in the meantime are not overwritten (409). Without it nothing is compared',
    }),
  );

/** Validates a list of nested forms. @param max maximum entries */
export function ListOf(form: Type, max: number, options: { message: string }): PropertyDecorator {
  // IsObject rejects nested arrays: ValidateNested would validate only their elements.
  return applyDecorators(
    IsArray(options),
    ArrayMaxSize(max, options),
    IsObject({ each: true, ...options }),
    ValidateNested({ each: true, ...options }),
    TypeOf(() => form),
    ApiProperty({ type: form, isArray: true }),
  );
}
