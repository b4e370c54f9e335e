/** What of `mime-types` is used here; the package has no types of its own. */
declare module 'mime-types' {
  /** `Content-Type` of an extension such as `.html`; false for one nobody knows. */
  export function contentType(extension: string): string | false;
}
