import { Transform } from 'class-transformer';

/** A field of a form that counts as not given where it is `""`, as forms send what nobody filled in. */
export const EmptyIsUnset = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
