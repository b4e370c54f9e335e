import { ValidateBy, type ValidationOptions } from 'class-validator';

import { hasInvisible } from '../packages/index.js';

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
    { name: 'visible', validator: { validate: (value: unknown) => typeof value === 'string' && !hasInvisible(lines ? value.replace(/\r?\n/g, '') : value) } },
    options,
  );
}
