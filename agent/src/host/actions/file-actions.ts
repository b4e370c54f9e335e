import type { ActionName, SiteRef } from '../../../../src/agents/wire/actions.js';
import { answered } from '../action-result.js';
import { HostRefusal } from '../refusal.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import { isOpen, type SiteRecord } from '../records/site-record.js';
import type { FileActionName } from '../work/site-files.js';
import type { SiteWorkers } from '../work/site-workers.js';
import type { ActionHandlers, ActionContext } from './action-handlers.js';

const NAMES: Readonly<Record<FileActionName, true>> = {
  'files.list': true,
  'files.find': true,
  'files.read': true,
  'files.open': true,
  'files.size': true,
  'files.write': true,
  'files.makeFolder': true,
  'files.rename': true,
  'files.move': true,
  'files.discard': true,
  'files.uploaded': true,
  'files.upload': true,
  'files.cancelUpload': true,
  'files.copy': true,
  'files.pack': true,
  'files.unpack': true,
  'files.trash': true,
  'files.restore': true,
  'files.purge': true,
  'files.tidy': true,
};

/** Actions on the files of sites. Every action runs as the site's own user; the root process only sends the order. */
export function fileActions(keeper: SiteKeeper, workers: SiteWorkers): ActionHandlers<Extract<ActionName, FileActionName>> {
  const handler = (name: FileActionName) => async (ref: SiteRef, args: object, context: ActionContext) =>
    answered(await workers.run(keeper.require(ref), name, args, workerOptions(context)));
  return Object.fromEntries(Object.keys(NAMES).map((name) => [name, handler(name as FileActionName)])) as never;
}

/** Builds the worker options for an action. */
export function workerOptions({ stop, progress, body, send, leftMs }: ActionContext): Parameters<SiteWorkers['run']>[3] {
  return { stop, progress, leftMs, ...(body ? { input: body.file } : {}), send: (bytes, content) => send({ bytes, content }) };
}

/** Returns the site unless it is suspended. @throws HostRefusal `SUSPENDED` */
export function requireOpen(site: SiteRecord): SiteRecord {
  if (!isOpen(site)) throw new HostRefusal('SUSPENDED', 'The site is suspended.');
  return site;
}
