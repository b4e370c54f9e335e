import { describe, expect, it } from 'vitest';

import { AppConfig, DEFAULT_ADMIN_PASSWORD } from './app-config.js';

describe('AppConfig', () => {
  it('works without any variable', () => {
    const config = new AppConfig({});
    expect(config.port).toBe(3000);
    expect(config.sqlitePath).toMatch(/data\/panel\.db$/);
    expect(config.runs('panel') && config.runs('worker')).toBe(true);
    expect(config.defaultPasswordAllowed).toBe(true);
  });

  it('names every variable that is wrong', () => {
    expect(() => new AppConfig({ PORT: 'abc', CAPTCHA: 'maybe', TIMEZONE: 'Mars/Base', TRUST_PROXY: 'x' })).toThrow(
      /PORT[\s\S]*TIMEZONE[\s\S]*CAPTCHA/,
    );
    expect(() => new AppConfig({ TRUST_PROXY: 'not-an-address' })).toThrow(/TRUST_PROXY/);
    expect(() => new AppConfig({ DATABASE_URL: 'postgres://x' })).toThrow(/DATABASE_URL/);
  });

  it('refuses the weak values in production', () => {
    expect(() => new AppConfig({ NODE_ENV: 'production', CAPTCHA: 'off' })).toThrow(/CAPTCHA/);
    expect(() => new AppConfig({ NODE_ENV: 'production', CAPTCHA: 'fixed:abcd' })).toThrow(/CAPTCHA/);
    expect(() => new AppConfig({ NODE_ENV: 'production', RATE_LIMIT: 'off' })).toThrow(/RATE_LIMIT/);
    expect(() => new AppConfig({ NODE_ENV: 'production', ADMIN_PASSWORD: DEFAULT_ADMIN_PASSWORD })).toThrow(/ADMIN_PASSWORD/);
    expect(() => new AppConfig({ HOST: '0.0.0.0', ADMIN_PASSWORD: DEFAULT_ADMIN_PASSWORD })).toThrow(/ADMIN_PASSWORD/);
    expect(new AppConfig({ HOST: '0.0.0.0' }).defaultPasswordAllowed).toBe(false);
  });

  it('reads the proxy list as CIDR ranges', () => {
    expect(new AppConfig({ TRUST_PROXY: '10.0.0.1, fd00::/8' }).trustedProxies).toEqual(['10.0.0.1/32', 'fd00::/8']);
  });
});
