/**
 * Returns a plugin that kills its panel once, with SIGKILL, when `steps` call `die()`. The steps replace functions of `fs.promises`, and
 * can use `fs`, `path` and `svc`.
 */
const killing = (steps: string): string => `
const fs = require('node:fs');
const path = require('node:path');
module.exports = (svc) => {
  const marker = path.join(svc.path, 'killed');
  if (fs.existsSync(marker)) return;
  const die = () => {
    fs.writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
  };${steps}
  require('node:module').syncBuiltinESMExports();
};
`;

/**
 * Returns a plugin that kills its panel once, with SIGKILL, while it creates an account: `before` or `after` the rename with which the
 * embedded node moves a finished site into place.
 */
const atTheRename = (when: 'before' | 'after'): string =>
  killing(`
  const sites = path.join(svc.path, '..', '..', 'sites');
  const { rename } = fs.promises;
  fs.promises.rename = async (...args) => {
    const isSite = path.dirname(String(args[1])) === sites;
    if (isSite && '${when}' === 'before') die();
    const result = await rename(...args);
    if (isSite) die();
    return result;
  };
`);

/** Kills when the row exists and the site does not. */
export const EARLY_KILLER = atTheRename('before');
/** Kills when the site's folder exists and the row is not finished. */
export const MIDWAY_KILLER = atTheRename('after');
/** Kills when the account is active and the event is recorded but not delivered. */
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

/** Steps of deleted sites: moved to the recycle bin, restored, and purged. */
export type BinStep = 'before-in' | 'after-in' | 'before-out' | 'after-out' | 'half-purged';

/**
 * Returns a plugin that kills its panel once, with SIGKILL, at a step of a deleted site: folders are moved to and from the recycle bin with
 * a rename, and purged with `rm`.
 */
export const binKiller = (step: BinStep): string =>
  killing(`
  const recycle = path.join(svc.path, '..', '..', 'recycle');
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
`);

/**
 * Returns a plugin that kills its panel once, with SIGKILL, when the embedded node suspends a site: `before` or `after` its record is
 * written.
 */
export const pauseKiller = (when: 'before' | 'after'): string =>
  killing(`
  const { rename } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const suspends = path.basename(String(to)) === 'site.json' && JSON.parse(fs.readFileSync(from, 'utf8')).suspended;
    if (suspends && '${when}' === 'before') die();
    const result = await rename(from, to);
    if (suspends) die();
    return result;
  };
`);

/**
 * Returns a plugin that kills its panel once, with SIGKILL, when a site is reassigned to the user `to`: `before` or `after` its record is
 * written.
 */
export const adoptionKiller = (to: string, when: 'before' | 'after'): string =>
  killing(`
  const { rename } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const isIt = path.basename(String(to)) === 'site.json' && JSON.parse(fs.readFileSync(from, 'utf8')).username === ${JSON.stringify(to)};
    if (isIt && '${when}' === 'before') die();
    const result = await rename(from, to);
    if (isIt) die();
    return result;
  };
`);

/** Returns a plugin that kills its panel once, with SIGKILL, when `rm` removes something with `part` in its path: before it, or after. */
export const removalKiller = (part: string, when: 'before' | 'after'): string =>
  killing(`
  const { rm } = fs.promises;
  fs.promises.rm = async (file, options) => {
    const isIt = String(file).includes(${JSON.stringify(part)});
    if (isIt && '${when}' === 'before') die();
    await rm(file, options);
    if (isIt) die();
  };
`);

/** Steps of file operations of a site: where a file is written to the work folder, and where it is moved into place. */
export type FileStep = 'half-piece' | 'whole-piece' | 'made' | 'first-put' | 'noted' | 'discarded';

/** Returns a plugin that kills its panel once, with SIGKILL, at a step of a file operation. */
export const fileKiller = (step: FileStep): string =>
  killing(`
  const { rename, open } = fs.promises;
  const at = (file, pattern) => pattern.test(String(file));
  fs.promises.open = async (file, ...rest) => {
    const handle = await open(file, ...rest);
    if ('${step}' === 'half-piece' && at(file, /\\/work\\/up-/)) {
      const write = handle.write.bind(handle);
      handle.write = async (bytes, from, length, to) => {
        await write(bytes, from, Math.floor(length / 2), to);
        die();
      };
    }
    return handle;
  };
  fs.promises.rename = async (from, to) => {
    if ('${step}' === 'whole-piece' && at(from, /\\/work\\/up-/)) die();
    if ('${step}' === 'made' && at(from, /\\/things$/)) die();
    if ('${step}' === 'noted' && at(to, /\\/item$/)) die();
    const result = await rename(from, to);
    if ('${step}' === 'first-put' && at(from, /\\/work\\/put-/)) die();
    if ('${step}' === 'discarded' && at(to, /\\/item$/)) die();
    return result;
  };
`);

/** Steps of site backups: an archive is moved into place, a site is switched to a restored backup, an archive is removed or sent. */
export type SiteBackupStep = 'before-kept' | 'after-kept' | 'before-switch' | 'in-switch' | 'after-switch' | 'half-removed' | 'in-sending';

/** Returns a plugin that kills its panel once, with SIGKILL, at a step of a backup. */
export const siteBackupKiller = (step: SiteBackupStep): string =>
  killing(`
  const kept = path.join(svc.path, '..', '..', 'site-backups');
  const { rename, rm } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const isKept = path.dirname(String(to)) === kept;
    const isOut = String(to).endsWith('/restoring/old');
    const isIn = String(from).endsWith('/restoring/next');
    if ((isKept && '${step}' === 'before-kept') || (isOut && '${step}' === 'before-switch')) die();
    const result = await rename(from, to);
    if ((isKept && '${step}' === 'after-kept') || (isOut && '${step}' === 'in-switch') || (isIn && '${step}' === 'after-switch')) die();
    return result;
  };
  const { createReadStream } = fs;
  fs.createReadStream = (file, options) => {
    // The third part of one that is sent in parts.
    if ('${step}' === 'in-sending' && path.dirname(String(file)) === kept && options.start === 2 * 5 * 1024 * 1024) die();
    return createReadStream(file, options);
  };
  fs.promises.rm = async (file, options) => {
    const result = await rm(file, options);
    if ('${step}' === 'half-removed' && path.dirname(String(file)) === kept && String(file).endsWith('.gz')) die();
    return result;
  };
`);

/** Steps of installing a program: while its files are copied, while its steps run, and during the rollback. */
export type ProgramStep = 'in-files' | 'in-steps' | 'in-undo';

/**
 * Returns a plugin that kills its panel once, with SIGKILL, while it installs a program that contains `svc-first.txt` and whose steps
 * create `svc-last.txt`.
 */
export const programKiller = (step: ProgramStep): string =>
  killing(`
  const { rename } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const result = await rename(from, to);
    if ('${step}' === 'in-files' && String(to).endsWith('/svc-first.txt')) die();
    if ('${step}' === 'in-steps' && String(to).endsWith('/svc-last.txt')) die();
    if ('${step}' === 'in-undo' && String(to).endsWith('/restoring/old')) die();
    return result;
  };
`);

/** Returns a plugin that kills its panel once, with SIGKILL, when it decrypts a secret with this additional data. */
export const unsealKiller = (sealedFor: string): string =>
  killing(`
  const crypto = require('node:crypto');
  const { createDecipheriv } = crypto;
  crypto.createDecipheriv = (...args) => {
    const decipher = createDecipheriv(...args);
    const setAAD = decipher.setAAD.bind(decipher);
    decipher.setAAD = (place, ...rest) => {
      if (String(place) === ${JSON.stringify(sealedFor)}) die();
      return setAAD(place, ...rest);
    };
    return decipher;
  };
`);

/**
 * Steps of a paid renewal: the `order.paid` event, before and after the server's record of the host is written, and the `host.renewed`
 * event.
 */
export type RenewalStep = 'paid' | 'before' | 'after' | 'renewed';

/** Returns a plugin that kills its panel once, with SIGKILL, at a step of a renewal. */
export const renewalKiller = (step: RenewalStep): string =>
  killing(`
  const once = () => {
    if (!fs.existsSync(marker)) die();
  };
  if ('${step}' === 'paid') svc.svc_add_action('order.paid', once, -10, { id: 'kill' });
  if ('${step}' === 'renewed') svc.svc_add_action('host.renewed', once, -10, { id: 'kill' });
  const { rename } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const isRecord = path.basename(String(to)) === 'site.json';
    if (isRecord && '${step}' === 'before') die();
    const result = await rename(from, to);
    if (isRecord && '${step}' === 'after') die();
    return result;
  };
`);

/** Steps of a paid package change: the `order.paid` event, and the event of the completed change. */
export type ChangeStep = 'paid' | 'changed';

/** Returns a plugin that sells two packages and kills its panel once, with SIGKILL, at a step of a change between them. */
export const changeKiller = (step: ChangeStep): string =>
  killing(`
  const once = () => {
    if (!fs.existsSync(marker)) die();
  };
  const offer = (name, amount, webMb) => ({
    package: 'killer:' + name,
    name,
    prices: [{ months: 1, amount }],
    limits: { webMb, databaseMb: 0, trafficGb: 0, domains: 1 },
  });
  svc.svc_add_filter('host.package.offers', (offers) => [...offers, offer('small', 3_000, 10), offer('large', 9_000, 50)]);
  if ('${step}' === 'paid') svc.svc_add_action('order.paid', once, -10, { id: 'kill' });
  if ('${step}' === 'changed') {
    svc.svc_add_action('host.package.changed', (_user, _id, key) => (key === 'killer:large' ? once() : undefined), -10, { id: 'kill' });
  }
`);
