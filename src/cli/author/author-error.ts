/** Something its author can put right: the message says what is wrong and what to do, and no stack is shown. */
export class AuthorError extends Error {
  override readonly name = 'AuthorError';
}
