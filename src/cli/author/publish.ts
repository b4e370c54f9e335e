import { setTimeout as sleep } from 'node:timers/promises';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { buildProject, size } from './build.js';
import { checkPackage } from './check.js';
import { NOT_SIGNED, signedFiles, zipName, zipOf } from './pack.js';
import { descriptionOf, NO_DESCRIPTION, type Project } from './project.js';
import { AuthorStoreClient, type StoreReply } from './author-store-client.js';
import type { AuthorCommand, Terminal } from './terminal.js';

/** Delay between two polls of the verdict, in milliseconds; it grows, because people decide. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const PAGE_SIZE = 100;

interface OwnItem {
  readonly id: number;
  readonly slug: string;
}
interface OwnVersion {
  readonly version: string;
  readonly status: 'pending' | 'approved' | 'rejected' | 'superseded';
}
interface Review {
  readonly review_msg: string;
  readonly queue_position: number | null;
}

/** `svc-plugin publish`. */
export const publish: AuthorCommand = {
  usage: '--store URL [--changelog TEXT] [--no-wait]',
  summary: 'packs, checks, uploads the version to the store with the token in STORE_TOKEN, and waits for the review',
  async run(args, terminal) {
    const options = { store: { type: 'string' }, changelog: { type: 'string' }, 'no-wait': { type: 'boolean' } } as const;
    const { values } = readArguments(args, options, 0);
    const address = values.store ?? terminal.env.STORE_URL ?? '';
    if (address === '') throw new AuthorError('Name the store: --store https://store.example.com, or STORE_URL in the environment.');
    const token = terminal.env.STORE_TOKEN ?? '';
    if (token === '')
      throw new AuthorError(
        'Set STORE_TOKEN to a token of the store with the scopes read and publish. Create one on your account page in the store.',
      );
    const store = new AuthorStoreClient(address, token);
    const project = await buildProject(terminal);
    const { files, signer } = signedFiles(project, terminal);
    terminal.say(signer === '' ? NOT_SIGNED : `Signed with your key ${signer}.`);
    const zip = await zipOf(project, files);
    if ((await checkPackage(project, zip, terminal)) !== 0) return 1;
    const id = await send(store, project, zip, values.changelog ?? '', terminal);
    if (values['no-wait'] === true) return 0;
    return verdict(store, id, project.version, terminal);
  },
};

/** Uploads the version unless the store already has it. @returns the item's id */
async function send(store: AuthorStoreClient, project: Project, zip: Buffer, changelog: string, terminal: Terminal): Promise<number> {
  const { type, slug, version } = project;
  const item = await findItem(store, type, slug);
  if (item && (await versionsOf(store, item.id)).some((one) => one.version === version)) {
    terminal.say(`The store already has ${slug} ${version}. Nothing was uploaded.`);
    return item.id;
  }
  const form = new FormData();
  if (item) form.append('changelog', changelog);
  else for (const [name, value] of Object.entries(firstFields(project))) form.append(name, value);
  form.append('version', version);
  form.append('zipfile', new Blob([new Uint8Array(zip)]), zipName(project));
  let reportedPercent = -1;
  const reply = await store.upload<OwnItem>(item ? `developer/items/${item.id}/versions` : 'developer/items', form, (share) => {
    const quarter = Math.floor(share * 4) * 25;
    if (quarter > reportedPercent) terminal.warn(`Sending ${zipName(project)} (${size(zip.length)}): ${(reportedPercent = quarter)} %`);
  });
  accepted(reply);
  terminal.say(reply.msg);
  return item ? item.id : reply.data.id;
}

/** Fields the store requires for a new item. */
function firstFields(project: Project): Record<string, string> {
  const { type, slug, name } = project;
  const description = descriptionOf(project);
  if (description === '') throw new AuthorError(NO_DESCRIPTION);
  const text = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { type, slug, name, description: `<p>${text}</p>` };
}

async function findItem(store: AuthorStoreClient, type: string, slug: string): Promise<OwnItem | null> {
  for (let page = 1; ; page += 1) {
    const reply = await store.get<{ items: OwnItem[]; total: number }>(`developer/items?type=${type}&page=${page}&page_size=${PAGE_SIZE}`);
    const { items, total } = accepted(reply);
    const found = items.find((item) => item.slug.toLowerCase() === slug.toLowerCase());
    if (found || items.length === 0 || page * PAGE_SIZE >= total) return found ?? null;
  }
}

async function versionsOf(store: AuthorStoreClient, id: number): Promise<OwnVersion[]> {
  return accepted(await store.get<OwnVersion[]>(`developer/items/${id}/versions`));
}

/** Polls until a reviewer has decided. @returns 0 if the version was approved */
async function verdict(store: AuthorStoreClient, id: number, version: string, terminal: Terminal): Promise<number> {
  let shownPosition: number | null = null;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const present = (await versionsOf(store, id)).find((one) => one.version === version);
    if (!present) throw new AuthorError(`The store no longer has version ${version}.`);
    const { review_msg: note, queue_position: position } = accepted(await store.get<Review>(`developer/items/${id}/review`));
    const reviewerNote = note === '' ? '' : ` Note of the reviewer: ${note}`;
    if (present.status === 'approved') {
      terminal.say(`Approved: version ${version} is published.${reviewerNote}`);
      return 0;
    }
    if (present.status !== 'pending') {
      const what = present.status === 'rejected' ? 'Rejected' : 'Not reviewed: another version was submitted';
      terminal.warn(`${what}.${reviewerNote} Fix it, and publish it with a new version number: the store accepts each number only once.`);
      return 1;
    }
    if (position !== shownPosition)
      terminal.say(
        `Waiting for review, position ${position} in the queue. You can stop (Ctrl+C) and run this again: nothing is uploaded twice.`,
      );
    shownPosition = position;
    await sleep(wait);
  }
}

/** @throws AuthorError with the store's message and what to do */
function accepted<Data>({ status, msg, data, retryAfter }: StoreReply<Data>): Data {
  if (status < 300) return data;
  if (status === 401) throw new AuthorError(`The store rejected the token in STORE_TOKEN: ${msg}`);
  const later = retryAfter > 0 ? ` Try again in ${retryAfter} seconds.` : '';
  throw new AuthorError(`The store rejected it: ${msg}${later}`);
}
