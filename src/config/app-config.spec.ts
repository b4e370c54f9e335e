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

  it('names every invalid variable', () => {
    expect(() => new AppConfig({ PORT: 'abc', CAPTCHA: 'maybe', TIMEZONE: 'Mars/Base', TRUST_PROXY: 'x' })).toThrow(
      /PORT[\s\S]*TIMEZONE[\s\S]*CAPTCHA/,
    );
    expect(() => new AppConfig({ TRUST_PROXY: 'not-an-address' })).toThrow(/TRUST_PROXY/);
    expect(() => new AppConfig({ DATABASE_URL: 'postgres://x' })).toThrow(/DATABASE_URL/);
  });

  it('says once what each may be, and never its value', () => {
    const wrong = {
      PORT: '-1.5e3x',
      SITES_PORT: '65536',
      SITES_DOMAIN: 'planted_example',
      BASE_URL: 'planted.example',
      DATABASE_URL: 'postgres://planted',
      REDIS_URL: 'planted',
      SERVICES: 'planted',
      TIMEZONE: 'Planted/Base',
      ADMIN_USERNAME: 'planted!',
      ADMIN_PASSWORD: 'planted',
      API_KEY: 'planted',
      CAPTCHA: 'planted',
      STORE_SEARCH_MB: 'planted',
      STORE_S3_ENDPOINT: 'planted',
      STORE_S3_BUCKET: '/planted',
      STORE_S3_REGION: '/planted',
      STORE_S3_ACCESS_KEY: 'planted key',
      STORE_S3_SECRET_KEY: 'planted key',
      STORE_S3_PREFIX: '/planted',
      RATE_LIMIT: 'planted',
      LOG_LEVEL: 'planted',
    };
    let message = '';
    try {
      new AppConfig(wrong);
    } catch (error) {
      ({ message } = error as Error);
    }
    const lines = message.split('\n').slice(1);
    expect(lines.map((line) => /^ {2}- (\w+) must be /.exec(line)?.[1]).sort()).toEqual(Object.keys(wrong).sort());
    expect(message).not.toMatch(/planted|regular expression|\/\^/i);
    expect(lines).toContain('  - CAPTCHA must be svg (or on), off, or fixed: with 1 to 16 letters and digits, such as fixed:abcd');
    expect(lines).toContain('  - PORT must be a whole number from 0 to 65535; 0 uses a free port');
  });

  it.each(['on', 'ON', 'true', 'yes', '1', 'svg', ' SVG ', '', undefined])('treats CAPTCHA and RATE_LIMIT as on: %o', (given) => {
    expect(new AppConfig({ CAPTCHA: given }).captcha).toEqual({ kind: 'svg' });
    expect(new AppConfig({ CAPTCHA: given, NODE_ENV: 'production' }).captcha).toEqual({ kind: 'svg' });
    if (!given?.match(/svg/i)) expect(new AppConfig({ RATE_LIMIT: given, NODE_ENV: 'production' }).rateLimit).toBe(true);
  });

  it.each(['off', 'Off', 'false', 'no', '0', ' none '])('treats CAPTCHA and RATE_LIMIT as off: %o', (given) => {
    expect(new AppConfig({ CAPTCHA: given }).captcha).toEqual({ kind: 'off' });
    expect(new AppConfig({ RATE_LIMIT: given }).rateLimit).toBe(false);
    expect(() => new AppConfig({ CAPTCHA: given, NODE_ENV: 'production' })).toThrow(/CAPTCHA must be svg/);
    expect(() => new AppConfig({ RATE_LIMIT: given, NODE_ENV: 'production' })).toThrow(/RATE_LIMIT must be on/);
  });

  it('keeps the case of a fixed captcha, and accepts spaces in SERVICES and levels in any case', () => {
    expect(new AppConfig({ CAPTCHA: 'fixed:AbCd' }).captcha).toEqual({ kind: 'fixed', answer: 'AbCd' });
    expect([...new AppConfig({ SERVICES: ' store, worker ' }).services]).toEqual(['store', 'worker']);
    expect(new AppConfig({ LOG_LEVEL: 'WARN', PORT: ' 80 ', CAPTCHA_WORK: '' })).toMatchObject({ port: 80, captchaWork: 0 });
  });

  it('rejects weak values in production', () => {
    expect(() => new AppConfig({ NODE_ENV: 'production', CAPTCHA: 'off' })).toThrow(/CAPTCHA/);
    expect(() => new AppConfig({ NODE_ENV: 'production', CAPTCHA: 'fixed:abcd' })).toThrow(/CAPTCHA/);
    expect(() => new AppConfig({ NODE_ENV: 'production', RATE_LIMIT: 'off' })).toThrow(/RATE_LIMIT/);
    expect(() => new AppConfig({ NODE_ENV: 'production', ADMIN_PASSWORD: DEFAULT_ADMIN_PASSWORD })).toThrow(/ADMIN_PASSWORD/);
    expect(() => new AppConfig({ HOST: '0.0.0.0', ADMIN_PASSWORD: DEFAULT_ADMIN_PASSWORD })).toThrow(/ADMIN_PASSWORD/);
    expect(new AppConfig({ HOST: '0.0.0.0' }).defaultPasswordAllowed).toBe(false);
  });

  describe('with STORE_S3_…', () => {
    const complete = {
      STORE_S3_ENDPOINT: 'http://10.0.0.5:9000/',
      STORE_S3_BUCKET: 'packages',
      STORE_S3_ACCESS_KEY: 'planted-key',
      STORE_S3_SECRET_KEY: 'planted/secret+',
    };

    it('keeps packages in a bucket, or in a folder without one', () => {
      expect(new AppConfig({ STORE_S3_ENDPOINT: '' }).storeS3).toBeNull();
      expect(new AppConfig({ ...complete, STORE_S3_PREFIX: 'store/packages/' }).storeS3).toEqual({
        endpoint: 'http://10.0.0.5:9000',
        bucket: 'packages',
        region: 'us-east-1',
        accessKeyId: 'planted-key',
        secretAccessKey: 'planted/secret+',
        prefix: 'store/packages/',
      });
    });

    it('rejects incomplete settings, and says which are missing', () => {
      for (const name of Object.keys(complete)) {
        expect(() => new AppConfig({ ...complete, [name]: '' })).toThrow(
          new RegExp(`${name} missing: set STORE_S3_ENDPOINT.* or no STORE_S3_`),
        );
      }
      expect(() => new AppConfig({ STORE_S3_REGION: 'eu-1' })).toThrow(
        /STORE_S3_ENDPOINT, STORE_S3_BUCKET, STORE_S3_ACCESS_KEY, STORE_S3_SECRET_KEY missing/,
      );
    });

    it.each([
      ['STORE_S3_ENDPOINT', 's3.example.com'],
      ['STORE_S3_ENDPOINT', 'ftp://s3.example.com'],
      ['STORE_S3_ENDPOINT', 'http://a:planted-password@s3.example.com'],
      ['STORE_S3_ENDPOINT', 'http://s3.example.com/?x'],
      ['STORE_S3_BUCKET', 'a/b'],
      ['STORE_S3_BUCKET', '..'],
      ['STORE_S3_PREFIX', '../x'],
      ['STORE_S3_PREFIX', '/x'],
      ['STORE_S3_REGION', 'a/b'],
      ['STORE_S3_SECRET_KEY', 'planted secret'],
    ])('names %s that is wrong, and no secret', (name, value) => {
      const start = (): AppConfig => new AppConfig({ ...complete, [name]: value });
      expect(start).toThrow(name);
      expect(start).not.toThrow(/planted/);
    });
  });

  it('installs from a store over https, or on this machine', () => {
    expect(new AppConfig({}).storeUrl).toBeNull();
    expect(new AppConfig({ STORE_URL: 'https://store.example.com/' }).storeUrl).toBe('https://store.example.com');
    for (const own of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
      expect(new AppConfig({ STORE_URL: own }).storeUrl).toBe(own);
    for (const wrong of [
      'http://store.example.com',
      'http://10.0.0.5',
      'ftp://a.example',
      'store.example.com',
      'https://a:b@c.example',
      'https://a.example/x?y',
    ])
      expect(() => new AppConfig({ STORE_URL: wrong }), wrong).toThrow(/STORE_URL must/);
  });

  it('keeps hosted sites away from the panel’s own name', () => {
    expect(new AppConfig({})).toMatchObject({ sitesDomain: 'localhost', sitesPublicPort: null });
    expect(new AppConfig({ SITES_DOMAIN: ' Sites.Example.COM:8080 ' })).toMatchObject({
      sitesDomain: 'sites.example.com',
      sitesPublicPort: 8080,
    });
    for (const wrong of [
      '1.2.3.4',
      'a..b',
      '.com',
      'a.',
      'a_b.com',
      '*.a.com',
      'http://a.com',
      'a.com:0',
      'a.com:65536',
      'a.com:',
      `${'a.'.repeat(95)}com`,
    ])
      expect(() => new AppConfig({ SITES_DOMAIN: wrong }), wrong).toThrow(/SITES_DOMAIN must be a domain name/);
    const with_ = (domain: string) => () => new AppConfig({ SITES_DOMAIN: domain, BASE_URL: 'https://panel.example.com' });
    for (const shared of ['panel.example.com', 'example.com', 'com'])
      expect(with_(shared), shared).toThrow(/SITES_DOMAIN must be another domain/);
    for (const apart of ['sites.example.com', 'sites.panel.example.com', 'ample.com']) expect(with_(apart), apart).not.toThrow();
  });

  it('reads the proxy list as CIDR ranges', () => {
    expect(new AppConfig({ TRUST_PROXY: '10.0.0.1, fd00::/8' }).trustedProxies).toEqual(['10.0.0.1/32', 'fd00::/8']);
  });
});
