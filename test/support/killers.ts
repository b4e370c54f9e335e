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
