import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';

// The agent is a separate program with its own compiler settings.
const configOfAgent: string = '../../agent/src/config/config.ts';
const parserOfAgent: string = '../../agent/src/config/parse-config.ts';
const { ConfigError } = (await import(configOfAgent)) as { ConfigError: new () => Error };
const { parseConfig } = (await import(parserOfAgent)) as {
  parseConfig: (text: string, folder: string, env: object) => { config: { svcUrl: URL }; warnings: string[] };
};

const REST = { platform_secret: 'platform', node_id: 'node_1', node_secret: 'secret', sites_root: '/www' };
const read = (config: object) => parseConfig(JSON.stringify(config), '/etc/agent', {});

describe('W9 mnbt_url', () => {
  it('in a config is the panel’s address, without a warning', () => {
    const { config, warnings } = read({ mnbt_url: 'https://panel.example.com/', ...REST });
    expect(config.svcUrl.href).toBe('https://panel.example.com/');
    expect(warnings).toEqual([]);
  });

  it('is overridden by svc_url, and validated like it', () => {
    expect(read({ mnbt_url: 'https://old.example.com', svc_url: 'https://new.example.com', ...REST }).config.svcUrl.host).toBe(
      'new.example.com',
    );
    expect(() => read({ mnbt_url: 'panel.example.com', ...REST })).toThrow(ConfigError);
  });

  describe('in a config from the panel', () => {
    let panel: TestPanel;
    beforeAll(async () => {
      panel = await TestPanel.start();
    });
    afterAll(() => panel.close());

    it('is always present, for older agents; ours reads it as it is', async () => {
      const { config, config_json: text } = (await panel.admin('addnode', { bt_id: '1' })).data as {
        config: Record<string, unknown>;
        config_json: string;
      };
      expect(config).toMatchObject({ svc_url: panel.url, mnbt_url: panel.url });
      expect(parseConfig(text, '/etc/agent', {}).warnings.join()).not.toContain('mnbt_url');
    });

    it('is accepted under that name as well', async () => {
      const { data } = await panel.admin('addnode', { bt_id: '1', mnbt_url: 'https://panel.example/' });
      expect(data.config).toMatchObject({ svc_url: 'https://panel.example', mnbt_url: 'https://panel.example' });
      expect(await panel.admin('addnode', { bt_id: '1', mnbt_url: 'nonsense' })).toMatchObject({
        success: false,
        fields: { mnbt_url: expect.any(String) },
      });
    });
  });
});
