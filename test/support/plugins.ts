import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What {@link writePlugin} writes. */
export interface PluginSource {
  /** Added to a complete manifest; a string is written as it is. */
  manifest?: Record<string, unknown> | string;
  /** Path inside the folder to content. */
  files?: Record<string, string>;
}

/** Writes a plugin package into `DATA_DIR/plugins/<slug>` and returns its folder. A string is its `index.js`. */
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

/** `index.js` of a function plugin with `body` as its function's. */
export function functionPlugin(body: string): string {
  return `module.exports = async (svc) => {\n${body}\n};\n`;
}
