/**
 * A conventional application for comparison: Nest on Express with express-session, passport and the global ValidationPipe; a list is
 * TypeORM's `findAndCount`. With DATABASE_URL it also serves that database's list of accounts.
 */
import 'reflect-metadata';

import { Body, Controller, HttpCode, Module, Post, Req, UnauthorizedException, UseGuards, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsNumberString, IsOptional, IsString, MaxLength } from 'class-validator';
import session from 'express-session';
import passport from 'passport';
import { DataSource } from 'typeorm';

import { ormOptions } from '#dist/ormconfig.js';
import { AppConfig } from '#dist/src/config/index.js';
import { HostingAccount } from '#dist/src/hosting/index.js';

import { ready } from './report.mjs';

const dataSource = process.env.DATABASE_URL ? await new DataSource(ormOptions(new AppConfig())).initialize() : null;

class EchoForm {}
for (const name of ['gn', 'name', 'note']) {
  IsString()(EchoForm.prototype, name);
  MaxLength(200)(EchoForm.prototype, name);
}
IsNumberString()(EchoForm.prototype, 'plan');

class ListForm {}
IsString()(ListForm.prototype, 'gn');
for (const name of ['page', 'limit']) {
  IsOptional()(ListForm.prototype, name);
  IsNumberString()(ListForm.prototype, name);
}

class SignedInGuard {
  canActivate(context) {
    if (!context.switchToHttp().getRequest().isAuthenticated()) throw new UnauthorizedException();
    return true;
  }
}

class AjaxController {
  signIn(req) {
    return new Promise((resolve, reject) => {
      req.login({ id: 1, username: 'admin' }, (error) => (error ? reject(error) : resolve({ ok: true })));
    });
  }
  echo(body) {
    return { ...body };
  }
  async list({ page = 1, limit = 20 }) {
    const [rows, total] = await dataSource
      .getRepository(HostingAccount)
      .findAndCount({ order: { id: 'DESC' }, skip: (page - 1) * limit, take: Number(limit) });
    return { total, rows };
  }
}
function route(method, path, form) {
  const descriptor = Object.getOwnPropertyDescriptor(AjaxController.prototype, method);
  if (form) {
    Body()(AjaxController.prototype, method, 0);
    Reflect.defineMetadata('design:paramtypes', [form], AjaxController.prototype, method);
    UseGuards(SignedInGuard)(AjaxController.prototype, method, descriptor);
  } else {
    Req()(AjaxController.prototype, method, 0);
    Reflect.defineMetadata('design:paramtypes', [Object], AjaxController.prototype, method);
  }
  Post(path)(AjaxController.prototype, method, descriptor);
  HttpCode(200)(AjaxController.prototype, method, descriptor);
}
route('signIn', 'sign-in', null);
route('echo', 'user/ajax.php', EchoForm);
route('list', 'admin/ajax.php', ListForm);
Controller()(AjaxController);

class AjaxModule {}
Module({ controllers: [AjaxController] })(AjaxModule);

passport.serializeUser((/** @type {{ id: number }} */ user, done) => done(null, user.id));
passport.deserializeUser((id, done) => done(null, { id, username: 'admin' }));

const app = await NestFactory.create(AjaxModule, { logger: false });
app.use(session({ secret: 'bench', resave: false, saveUninitialized: false }));
app.use(passport.initialize());
app.use(passport.session());
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address();
const signedIn = await fetch(`http://127.0.0.1:${port}/sign-in`, { method: 'POST' });
ready({ port, cookie: signedIn.headers.get('set-cookie').split(';')[0] });
