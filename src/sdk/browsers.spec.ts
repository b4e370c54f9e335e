import { describe, expect, it } from 'vitest';

import { visitingProgram } from './browsers.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('the program of a visitor', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [`Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0 Safari/537.36`, 'Samsung Internet', 'Android'],
    [`Mozilla/5.0 (Linux; Android 12) ${WEBKIT} Version/4.0 Chrome/107.0 Mobile Safari/537.36 MicroMessenger/8.0.38`, 'WeChat', 'Android'],
    [`${IPHONE} CriOS/126.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera', 'ChromeOS'],
    ['curl/8.5.0', 'curl', ''],
    ['node', 'node', ''],
    ['Mozilla/5.0', '', ''],
    ['<b>Firefox</b>', '', ''],
    ['', '', ''],
  ])('%s', (userAgent, name, system) => {
    expect(visitingProgram(userAgent)).toEqual({ name, system });
  });
});
