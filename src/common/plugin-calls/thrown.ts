/** Maximum characters processed of an error text. */
const MAX_THROWN = 20_000;

/** Returns what a plugin threw as an error from which the given secrets are removed. */
export function errorWithout(secrets: readonly string[], thrown: unknown): Error {
  const clean = (text: string): string =>
    secrets.reduce(
      (cleaned, secret) => cleaned.replaceAll(secret, '••••').replaceAll(encodeURIComponent(secret), '••••'),
      text.slice(0, MAX_THROWN),
    );
  const error = new Error(clean(textOf(thrown)));
  error.stack = clean(stackOf(thrown));
  return error;
}

/** Returns the text of a thrown value, which may be no error and may throw when it is read. */
function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : typeof thrown === 'symbol' ? thrown.toString() : `${thrown as string}`;
  } catch {
    return 'a value that is not an error';
  }
}

function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack) : textOf(thrown);
  } catch {
    return '';
  }
}
