const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])[^\u0000-\u001f\u007f]*$/;

/** Whether a text is an absolute Linux or Windows path without `..`. */
export function isFolder(path: string): boolean {
  return ABSOLUTE.test(path) && !path.split(/[\\/]/).includes('..');
}
