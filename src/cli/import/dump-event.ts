/** A value of a row as text; hexadecimal values are decoded as UTF-8. */
export type DumpValue = string | null;

/** Relevant content of a dump. */
export type DumpEvent =
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  /** `columns` is null if the statement names none: all columns of the table in order. */
  | { readonly kind: 'row'; readonly table: string; readonly columns: readonly string[] | null; readonly values: readonly DumpValue[] }
  | { readonly kind: 'charset'; readonly name: string };
