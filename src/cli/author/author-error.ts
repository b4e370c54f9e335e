/** A mistake the author can fix: the message says what is wrong and how to fix it, and no stack is shown. */
export class AuthorError extends Error {
  override readonly name = 'AuthorError';
}
