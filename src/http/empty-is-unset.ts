import { Transform } from 'class-transformer';

/** Treats `""` in a form field as absent, since forms submit empty fields that way. */
export const EmptyIsUnset = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
