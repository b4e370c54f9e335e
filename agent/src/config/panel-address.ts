import { clip } from '../text.js';

/** Whether a host name is a loopback name or address, so that requests to it never cross a network. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Parses `svc_url`. On an error, adds it to `problems` and returns null. */
export function readPanelAddress(address: string, problems: string[], warnings: string[]): URL | null {
  if (address === '') return null;
  let url;
  try {
    url = new URL(address);
  } catch {
    problems.push(
      `"svc_url" is not an address: ${JSON.stringify(clip(address, 100))}. Write it with ` +
        'http:// or https://, such as "https://panel.example.com".',
    );
    return null;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    problems.push('"svc_url" must begin with https:// or http://.');
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    problems.push('"svc_url" must not contain a user name or password. Requests are signed with the secrets.');
    return null;
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    warnings.push(
      '"svc_url" is http://: requests are signed and contain no secrets, but responses can be read and forged on the ' +
        'network. Use https://.',
    );
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/api\/node\.php$/, '').replace(/\/+$/, '');
  return url;
}
