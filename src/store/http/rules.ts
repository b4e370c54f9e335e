import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateBy, ValidateNested, type ValidationOptions } from 'class-validator';

import { hasInvisible } from '../packages/index.js';

import type { Shape } from './shape.js';

const ON_THE_WIRE = 'store:on-the-wire';
const LIST_OF = 'store:list-of';

/** A text of so many characters, counted as people do: an emoji is one. */
export function Characters(min: number, max: number, options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'characters',
      constraints: [min, max],
      validator: {
        validate: (value: unknown) => {
          if (typeof value !== 'string' || value.length > 2 * max) return false;
          const { length } = [...value];
          return length >= min && length <= max;
        },
      },
    },
    options,
  );
}

/** A text in which every character shows: no controls, no marks that turn what follows round. @param options.lines whether it may have line breaks */
export function Visible({ lines = false, ...options }: ValidationOptions & { lines?: boolean }): PropertyDecorator {
  return ValidateBy(
    {
      name: 'visible',
      validator: { validate: (value: unknown) => typeof value === 'string' && !hasInvisible(lines ? value.replace(/\r?\n/g, '') : value) },
    },
    options,
  );
}

/** A list of forms, each checked. @param max most of them */
export function ListOf(form: () => Type, max: number, options: { message: string }): PropertyDecorator {
  // A list within the list would be looked into, and its own elements only.
  return applyDecorators(
    IsArray(options),
    ArrayMaxSize(max, options),
    IsObject({ each: true, ...options }),
    ValidateNested({ each: true, ...options }),
    TypeOf(form),
    keep(LIST_OF, form),
  );
}

/** What a field is before it is read, where its rules are about what it is afterwards. */
export function OnTheWire(shape: Shape): PropertyDecorator {
  return keep(ON_THE_WIRE, shape);
}

/** The shape a field of a form was given with {@link OnTheWire}. */
export function wireShapeOf(form: Type, field: string): Shape | undefined {
  return Reflect.getMetadata(ON_THE_WIRE, form.prototype as object, field) as Shape | undefined;
}

/** The form of the rows of a field with {@link ListOf}. */
export function listedFormOf(form: Type, field: string): Type | undefined {
  return (Reflect.getMetadata(LIST_OF, form.prototype as object, field) as (() => Type) | undefined)?.();
}

function keep(key: string, value: unknown): PropertyDecorator {
  return (target, field) => Reflect.defineMetadata(key, value, target, field);
}
