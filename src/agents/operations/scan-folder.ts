const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])[^\u0000-\u001f\u007f]*$/;

/** Whether a text is an absolute path, of Linux or Windows, without steps upwards. */
export function isFolder(path: string): boolean {
  return ABSOLUTE.test(path) && !path.split(/[\\/]/).includes('..');
}
