import { Transform } from 'class-transformer';

/** A form field that holds a whole number: `""` counts as not given, anything else that is no number fails `IsInt`. */
export const WholeNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  });

/** A form field that holds a switch: `true`, `1`, `on` are on; `false`, `0`, `off` are off; anything else fails `IsBoolean`. */
export const Switch = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (value === undefined || value === '') return undefined;
    if (['true', '1', 'on'].includes(String(value))) return true;
    if (['false', '0', 'off'].includes(String(value))) return false;
    return value;
  });

/** A form field whose surrounding blanks do not count. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
