import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { templateDefect } from '../../theme/index.js';

const folder = fileURLToPath(new URL('./views', import.meta.url));
const views = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.liquid'));

it.each(views)('%s parses', (file) => {
  expect(templateDefect(readFileSync(`${folder}/${file}`, 'utf8'))).toBeNull();
});
