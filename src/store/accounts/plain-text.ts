import { applyDecorators } from '@nestjs/common';
import { isEmail, ValidateBy, type ValidationOptions } from 'class-validator';

import { Characters, Visible } from '../http/index.js';

/** An address without a quoted part and without markup characters, because deployed front ends insert it into pages unescaped. */
const PLAIN = /^[\p{L}\p{N}.!#$%*+/=?^_{|}~-]+@[\p{L}\p{N}.-]+$/u;

/** Returns whether `email` is a deliverable address that any page can show unescaped. */
export function isPlainEmail(email: string): boolean {
  return PLAIN.test(email) && isEmail(email);
}

/** Validates an e-mail address with {@link isPlainEmail}. */
export function PlainEmail(options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    { name: 'isEmail', validator: { validate: (value: unknown) => typeof value === 'string' && isPlainEmail(value) } },
    options,
  );
}

/** Validates text that is safe in any page unescaped: visible characters and line breaks, no angle brackets. @param max in characters */
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
