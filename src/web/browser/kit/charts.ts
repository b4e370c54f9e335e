import { directive } from './alpine.js';
import { said } from './page.js';

/** A page with a chart loads what draws it; no other does. */
directive('data-chart', 'chart', () => {
  const scripts = said.chartScripts?.match(/\S+/g) ?? [];
  void scripts.reduce((loaded, address) => loaded.then(() => import(address)), Promise.resolve());
});
