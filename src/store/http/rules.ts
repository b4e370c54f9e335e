import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateBy, ValidateNested, type ValidationOptions } from 'class-validator';

import { ApiProperty, ApiPropertyOptional, VersionField } from '../../http/index.js';

import { hasInvisible } from '../packages/index.js';

/** A text of so many characters, counted as people do: an emoji is one. */
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
 * A text in which every character shows: no controls, no marks that turn what follows round.
 *
 * @param options.lines whether it may have line breaks
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

/** The field `row_version` of a form that saves over what is stored: {@link VersionField}, described. */
export const RowVersion = (): PropertyDecorator =>
  applyDecorators(
    VersionField(),
    ApiPropertyOptional({
      type: 'string',
      maxLength: 10_000,
      description: 'As it was read: what somebody changed since is not overwritten (409). Without it nothing is compared',
    }),
  );

/** A list of forms, each checked. @param max most of them */
export function ListOf(form: Type, max: number, options: { message: string }): PropertyDecorator {
  // A list within the list would be looked into, and its own elements only.
  return applyDecorators(
    IsArray(options),
    ArrayMaxSize(max, options),
    IsObject({ each: true, ...options }),
    ValidateNested({ each: true, ...options }),
    TypeOf(() => form),
    ApiProperty({ type: form, isArray: true }),
  );
}
