import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { testCall } from '../../test/support/calls.js';
import { createTestDatabase } from '../../test/support/database.js';
import { EventProcess } from '../../test/support/event-process.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { LOCALES, translate } from '../common/index.js';
import type { AppConfig } from '../config/index.js';
import type { Database } from '../database/index.js';
import { DURABLE_HOOKS } from '../sdk/index.js';

import { DeadLetterInput, DeadLetterOperations } from './dead-letter.operations.js';
import { ListInput } from './list-input.js';

let process: EventProcess;
let operations: DeadLetterOperations;
let dispose: () => Promise<void>;
let database: Database;
let config: AppConfig;

beforeAll(async () => {
  const test = await createTestDatabase();
  ({ dispose, database } = test);
  config = test.place.config;
  process = new EventProcess(test.database, new ManualClock(), { attemptLimit: 1 });
  process.listeners.register({ owner: 'shop', hook: 'host.paused', id: 'a', listener: () => Promise.reject(new Error('no money')) });
  await process.listeners.sync('shop');
  process.dispatcher.start();
  operations = new DeadLetterOperations(process.deadLetters, config);
});
afterAll(async () => {
  await process.dispatcher.stop();
  await dispose();
});

const ctx = testCall({ locale: 'en' });

it('lists, retries and discards dead letters', async () => {
  await process.emit(7, 1);
  await process.dispatcher.idle();
  const page = await operations.list(new ListInput(), ctx);
  expect(page).toMatchObject({ total: 1 });
  expect(page.rows).toEqual([
    {
      id: expect.any(Number),
      hook: 'host.paused',
      hook_text: 'Host paused',
      listener: 'shop:host.paused:a',
      listener_text: 'Plugin shop',
      owner: 'shop',
      subject: 'host:7',
      attempts: 1,
      error: 'no money',
      date: '2026-11-21 12:05:00',
    },
  ]);
  const { id } = page.rows[0]!;
  expect(await operations.retry({ id })).toMatchObject({ text: 'events.dead_letter_sent' });
  await process.dispatcher.idle();
  expect((await operations.list(new ListInput(), ctx)).rows).toMatchObject([{ id, attempts: 2 }]);
  expect(await operations.discard({ id })).toMatchObject({ text: 'events.dead_letter_discarded' });
  expect(await operations.list(new ListInput(), ctx)).toMatchObject({ total: 0, rows: [] });
  await expect(operations.retry({ id })).rejects.toMatchObject({ code: 'DEAD_LETTER_NOT_FOUND' });
  await expect(operations.discard({ id })).rejects.toMatchObject({ shape: { err: 'E_NOTEXIST', text: 'events.dead_letter_not_found' } });
});

it('lists waiting deliveries, retries one immediately, and retries several failed ones', async () => {
  const clock = new ManualClock();
  const patient = new EventProcess(database, clock, { attemptLimit: 2 });
  let broken = true;
  patient.listeners.register({
    owner: 'mailer',
    hook: 'host.created',
    id: 'b',
    listener: () => (broken ? Promise.reject(new Error('not yet')) : Promise.resolve()),
  });
  await patient.listeners.sync('mailer');
  const own = new DeadLetterOperations(patient.deadLetters, config);
  const only = (ss: string): ListInput => Object.assign(new ListInput(), { ss });
  await database.transaction(async () => {
    for (const id of [1, 2, 3])
      await patient.outbox.record({
        hook: 'host.created',
        subject: `host:${id}`,
        source: 'test',
        args: [`user${id}`, id, 'local'],
        row: { id },
      });
  });
  expect(await own.listWaiting(new ListInput(), ctx)).toMatchObject({ total: 3, rows: [{ attempts: 0, error: '' }, {}, {}] });
  expect(await own.listWaiting(only('mailer:'), ctx)).toMatchObject({ total: 3 });
  for (const text of ['shop', '%', '_', "'"]) expect(await own.listWaiting(only(text), ctx)).toMatchObject({ total: 0 });
  patient.dispatcher.start();
  patient.dispatcher.wake();
  await patient.dispatcher.idle();
  const waiting = (await own.listWaiting(new ListInput(), ctx)).rows;
  expect(waiting).toMatchObject([{ attempts: 1, error: 'not yet' }, {}, {}]);

  for (const { id } of waiting) expect(await own.retry({ id })).toMatchObject({ text: 'events.dead_letter_sent' });
  await patient.dispatcher.idle();
  expect(await own.listWaiting(new ListInput(), ctx)).toMatchObject({ total: 0 });
  const dead = (await own.list(only('mailer'), ctx)).rows.map(({ id }) => id);
  expect(dead).toHaveLength(3);

  broken = false;
  expect(await own.retryMany({ idsz: [...dead, 999_999, 'x'].join(',') })).toMatchObject({ extras: { n: 3 } });
  await patient.dispatcher.idle();
  expect(await own.list(only('mailer'), ctx)).toMatchObject({ total: 0 });
  await expect(own.retryMany({ idsz: dead.join(',') })).rejects.toMatchObject({ code: 'DEAD_LETTERS_NONE' });
  await patient.dispatcher.stop();
});

it('describes the listeners of the panel', async () => {
  const panel = new EventProcess(database, new ManualClock());
  for (const id of ['package-orders', undefined]) {
    panel.listeners.register({ owner: 'core', hook: 'host.renewed', id, listener: () => undefined });
  }
  await panel.listeners.sync('core');
  const renewed = { hook: 'host.renewed', subject: 'host:5', source: 'test', row: { id: 5 } } as const;
  await database.transaction(() => panel.outbox.record({ ...renewed, args: ['user5', 5, '2027-01-01'] }));
  const { rows } = await new DeadLetterOperations(panel.deadLetters, config).listWaiting(new ListInput(), ctx);
  expect(rows.map((row) => [row.listener, row.listener_text])).toEqual([
    ['core:host.renewed:package-orders', 'The panel: close orders that no longer fit'],
    ['core:host.renewed:#2', 'The panel'],
  ]);
});

it('has a translation of every text it uses', () => {
  const keys = [
    'dead_letter_sent',
    'dead_letters_sent',
    'dead_letters_none',
    'audit_dead_letters_sent',
    'dead_letter_discarded',
    'dead_letter_not_found',
    'audit_dead_letter_sent',
    'audit_dead_letter_discarded',
  ];
  for (const key of keys) for (const locale of LOCALES) expect(translate(locale, `events.${key}`)).not.toBe(`events.${key}`);
});

it('accepts only a valid id from a form', () => {
  const errors = (id: unknown): number => validateSync(plainToInstance(DeadLetterInput, { id })).length;
  expect(errors('12')).toBe(0);
  for (const wrong of ['', undefined, '0', '1.5', 'x', '99999999999']) expect(errors(wrong)).toBe(1);
});

it('has a translation of every event', () => {
  const keys = DURABLE_HOOKS.map((hook) => `events.happened.${hook}`);
  for (const locale of LOCALES) for (const key of keys) expect(translate(locale, key)).not.toBe(key);
});
