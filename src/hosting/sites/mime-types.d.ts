/** The part of `mime-types` that is used here; the package has no types of its own. */
declare module 'mime-types' {
  /** Returns the `Content-Type` of an extension such as `.html`; false if unknown. */
  export function contentType(extension: string): string | false;
}
