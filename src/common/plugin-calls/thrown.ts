/** Characters of what was thrown that are looked at. */
const MAX_THROWN = 20_000;

/** What a plugin threw, as an error that tells none of the secrets it was given, wherever it goes from here. */
export function errorWithout(secrets: readonly string[], thrown: unknown): Error {
  const clean = (text: string): string =>
    secrets.reduce(
      (left, secret) => left.replaceAll(secret, '••••').replaceAll(encodeURIComponent(secret), '••••'),
      text.slice(0, MAX_THROWN),
    );
  const error = new Error(clean(textOf(thrown)));
  error.stack = clean(stackOf(thrown));
  return error;
}

/** What was thrown, in words. Nobody says that it is an error, or that it likes to be asked. */
function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : typeof thrown === 'symbol' ? thrown.toString() : `${thrown as string}`;
  } catch {
    return 'something that is no error';
  }
}

function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack) : textOf(thrown);
  } catch {
    return '';
  }
}
