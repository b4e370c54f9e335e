import { applyDecorators } from '@nestjs/common';
import { isEmail, ValidateBy, type ValidationOptions } from 'class-validator';

import { Characters, Visible } from '../http/index.js';

/** An address without a quoted part and without what is markup in a page: deployed front ends put it there as it is. */
const PLAIN = /^[\p{L}\p{N}.!#$%*+/=?^_{|}~-]+@[\p{L}\p{N}.-]+$/u;

/** Tells whether `email` is an address that mail can be sent to and that any page may show as it is. */
export function isPlainEmail(email: string): boolean {
  return PLAIN.test(email) && isEmail(email);
}

/** An e-mail address as {@link isPlainEmail} wants it. */
export function PlainEmail(options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    { name: 'isEmail', validator: { validate: (value: unknown) => typeof value === 'string' && isPlainEmail(value) } },
    options,
  );
}

/** Text that can stand in any page as it is: characters that show, line breaks, no angle brackets. @param max characters */
export function PlainText(max: number, options: ValidationOptions): PropertyDecorator {
  return applyDecorators(
    Characters(0, max, options),
    Visible({ lines: true, ...options }),
    ValidateBy(
      { name: 'plainText', validator: { validate: (value: unknown) => typeof value === 'string' && !/[<>]/.test(value) } },
      options,
    ),
  );
}
