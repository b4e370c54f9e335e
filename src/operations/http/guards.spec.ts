import type { IncomingMessage } from 'node:http';

import { Controller, Get, type INestApplication, UseGuards } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Access, AuthPolicyChecker, RateGate, withAccess } from '../../auth/index.js';
import { Admission } from '../admission.js';
import { Changeovers } from '../changeovers.js';
import { OperationRegistry } from '../operation-registry.js';
import { Permissions } from '../permissions.js';
import { SecondFactorGate } from '../second-factor-gate.js';

import { CallFactory } from '../call/call-factory.js';
import { AdminGuard, AdmittedBy, Needs, Own, RefusalFilter, UserGuard } from './guards.js';
import { UserPanelSwitch } from '../user-panel-switch.js';

class Words {
  readonly secret = 'sesame';
}

@Controller()
class Report {
  @Get('admin') @UseGuards(AdminGuard) admin(): string {
    return 'in';
  }

  @Get('own') @UseGuards(AdminGuard) @Own() @Needs() own(): string {
    return 'in';
  }

  @Get('own-unsaid') @UseGuards(AdminGuard) @Own() ownUnsaid(): string {
    return 'in';
  }

  @Get('user') @UseGuards(UserGuard) user(): string {
    return 'in';
  }

  @Get('word')
  @AdmittedBy((call, providers) => call.query.word === providers.get(Words).secret)
  word(): string {
    return 'in';
  }
}

class Switch extends UserPanelSwitch {
  open = true;
  contact = '10001';
  isOpen(): boolean {
    return this.open;
  }
}

/** Identifies callers by a header. */
const calls = {
  localeOf: () => 'en',
  of: async ({ headers, url }: IncomingMessage) => ({
    admin:
      headers.who === 'admin'
        ? withAccess({ id: 1, username: 'admin' }, Access.FULL)
        : headers.who === 'clerk'
          ? withAccess({ id: 2, username: 'clerk' }, new Access(['listdd'], null))
          : null,
    user: headers.who === 'user' ? { id: 1 } : null,
    query: Object.fromEntries(new URLSearchParams(url!.split('?')[1])),
  }),
};

let app: INestApplication;
beforeAll(async () => {
  const module = await Test.createTestingModule({
    controllers: [Report],
    providers: [
      Words,
      Admission,
      AuthPolicyChecker,
      Changeovers,
      OperationRegistry,
      Permissions,
      { provide: SecondFactorGate, useValue: { require: () => Promise.resolve() } },
      { provide: RateGate, useValue: { admit: () => undefined } },
      { provide: CallFactory, useValue: calls },
      { provide: UserPanelSwitch, useClass: Switch },
      { provide: APP_FILTER, useClass: RefusalFilter },
    ],
  }).compile();
  app = module.createNestApplication();
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

async function ask(path: string, who = 'nobody'): Promise<unknown> {
  const response = await fetch(`${await app.getUrl()}${path}`, { headers: { who, 'accept-language': 'en' } });
  const text = await response.text();
  return [response.status, text.startsWith('{') ? (JSON.parse(text) as object) : text];
}

it('admits callers that the guard allows, and answers all others like an operation', async () => {
  expect(await ask('/admin', 'admin')).toEqual([200, 'in']);
  for (const who of ['nobody', 'user']) expect(await ask('/admin', who)).toEqual([200, { code: '请登陆后台' }]);
  expect(await ask('/user', 'user')).toEqual([200, 'in']);
  for (const who of ['nobody', 'admin']) expect(await ask('/user', who)).toEqual([200, { code: '请登陆' }]);
});

it('a custom check of a handler can use providers', async () => {
  expect(await ask('/word?word=sesame')).toEqual([200, 'in']);
  expect(await ask('/word?word=other', 'admin')).toEqual([200, { code: '请登陆' }]);
});

it('a handler of the own account is open to roles only if it says so', async () => {
  expect(await ask('/own', 'clerk')).toEqual([200, 'in']);
  for (const path of ['/own-unsaid', '/admin']) expect(await ask(path, 'clerk')).toMatchObject([403, { err: 'E_FORBIDDEN' }]);
  expect(await ask('/own-unsaid', 'admin')).toEqual([200, 'in']);
});

it('rejects all users while the user panel is closed', async () => {
  app.get<Switch>(UserPanelSwitch).open = false;
  expect(await ask('/user', 'user')).toMatchObject([
    200,
    { success: false, err: 'E_DISABLED', code: expect.stringContaining('10001') as string },
  ]);
});
