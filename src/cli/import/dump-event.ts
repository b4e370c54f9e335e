/** One value of a row, as text; what is written in hexadecimal is read as UTF-8. */
export type DumpValue = string | null;

/** What a dump says that an import wants to know. */
export type DumpEvent =
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  /** `columns` is null where the statement names none: they are those of the table, in its order. */
  | { readonly kind: 'row'; readonly table: string; readonly columns: readonly string[] | null; readonly values: readonly DumpValue[] }
  | { readonly kind: 'charset'; readonly name: string };
