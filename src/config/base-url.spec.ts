import { describe, expect, it } from 'vitest';

import { AppConfig } from './app-config.js';
import { BaseUrl } from './base-url.js';

describe('BaseUrl', () => {
  it('equals BASE_URL, whatever port the server uses', () => {
    const baseUrl = new BaseUrl(new AppConfig({ BASE_URL: 'https://panel.example.com/sub/' }));
    baseUrl.listeningOn(41234);
    expect(baseUrl.current()).toBe('https://panel.example.com/sub');
  });

  it('is the address of the server otherwise', () => {
    const baseUrl = new BaseUrl(new AppConfig({ PORT: '0' }));
    baseUrl.listeningOn(41234);
    expect(baseUrl.current()).toBe('http://127.0.0.1:41234');
    expect(new BaseUrl(new AppConfig({ HOST: '::1', PORT: '80' })).current()).toBe('http://[::1]:80');
    expect(new BaseUrl(new AppConfig({ HOST: '0.0.0.0', PORT: '8080' })).current()).toBe('http://127.0.0.1:8080');
  });
});
