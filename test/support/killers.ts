/**
 * Plugins that kill their own panel, the hard way and once, while it opens an account. The embedded node puts a finished site
 * in its place by a rename: that is the moment, `before` or `after` it.
 */
const atTheRename = (when: 'before' | 'after'): string => `
const fs = require('node:fs');
const path = require('node:path');
module.exports = (svc) => {
  const marker = path.join(svc.path, 'killed');
  const sites = path.join(svc.path, '..', '..', 'sites');
  if (fs.existsSync(marker)) return;
  const die = () => {
    fs.writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
  };
  const { rename } = fs.promises;
  fs.promises.rename = async (...args) => {
    const isSite = path.dirname(String(args[1])) === sites;
    if (isSite && '${when}' === 'before') die();
    const result = await rename(...args);
    if (isSite) die();
    return result;
  };
  require('node:module').syncBuiltinESMExports();
};
`;

/** When the row is there and the site is not. */
export const EARLY_KILLER = atTheRename('before');
/** When the site's folder is there and the row is not finished. */
export const MIDWAY_KILLER = atTheRename('after');
/** When the account is active and recorded, and nobody has been told. */
export const LATE_KILLER = `
const fs = require('node:fs');
const path = require('node:path');
module.exports = (svc) => {
  const marker = path.join(svc.path, 'killed');
  svc.svc_add_action('host.created', async () => {
    if (fs.existsSync(marker)) return;
    fs.writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
    await new Promise(() => {});
  }, 1, { id: 'kill' });
};
`;

/** Steps of deleted sites: into the bin, out of it, and gone. */
export type BinStep = 'before-in' | 'after-in' | 'before-out' | 'after-out' | 'half-purged';

/** Kills its own panel, the hard way and once, at a step of a deleted site: folders go in and out of the bin by a rename, and are destroyed by `rm`. */
export const binKiller = (step: BinStep): string => `
const fs = require('node:fs');
const path = require('node:path');
module.exports = (svc) => {
  const marker = path.join(svc.path, 'killed');
  const recycle = path.join(svc.path, '..', '..', 'recycle');
  if (fs.existsSync(marker)) return;
  const die = () => {
    fs.writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
  };
  const inBin = (file) => path.dirname(String(file)) === recycle;
  const { rename, rm } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const found = inBin(to) ? 'in' : inBin(from) ? 'out' : '';
    if ('${step}' === 'before-' + found) die();
    const result = await rename(from, to);
    if ('${step}' === 'after-' + found) die();
    return result;
  };
  fs.promises.rm = async (file, options) => {
    if ('${step}' === 'half-purged' && inBin(file)) {
      fs.rmSync(path.join(String(file), 'site.json'));
      die();
    }
    return rm(file, options);
  };
  require('node:module').syncBuiltinESMExports();
};
`;
