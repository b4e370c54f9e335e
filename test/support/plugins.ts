import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Contents of a plugin for {@link writePlugin}. */
export interface PluginSource {
  /** Added to a complete manifest; a string is written unchanged. */
  manifest?: Record<string, unknown> | string;
  /** Contents by path in the folder. */
  files?: Record<string, string>;
}

/** Writes a plugin package to `DATA_DIR/plugins/<slug>` and returns its folder. A string is its `index.js`. */
export function writePlugin(dataDir: string, slug: string, source: PluginSource | string): string {
  const { manifest = {}, files = {} } = typeof source === 'string' ? { files: { 'index.js': source } } : source;
  const folder = join(dataDir, 'plugins', slug);
  const text = typeof manifest === 'string' ? manifest : JSON.stringify({ id: slug, name: slug, version: '1.0.0', ...manifest });
  for (const [path, content] of Object.entries({ 'plugin.json': text, ...files })) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return folder;
}

/** Returns the `index.js` of a function plugin with this function body. */
export function functionPlugin(body: string): string {
  return `module.exports = async (svc) => {\n${body}\n};\n`;
}
