import { directive } from './alpine.js';
import { pageData } from './page.js';

/** Loads the chart scripts only on pages with a chart. */
directive('data-chart', 'chart', () => {
  const scripts = pageData.chartScripts?.match(/\S+/g) ?? [];
  void scripts.reduce((loaded, address) => loaded.then(() => import(address)), Promise.resolve());
});
