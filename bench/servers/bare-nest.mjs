/** Nest on Express as created by `nest new`: one controller that returns the form's fields. */
import 'reflect-metadata';

import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { ready } from './report.mjs';

class EchoController {
  echo(body) {
    return body;
  }
}
const echo = Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo');
Body()(EchoController.prototype, 'echo', 0);
Post('ajax.php')(EchoController.prototype, 'echo', echo);
HttpCode(200)(EchoController.prototype, 'echo', echo);
Controller('user')(EchoController);

class EchoModule {}
Module({ controllers: [EchoController] })(EchoModule);

const app = await NestFactory.create(EchoModule, { logger: false });
await app.listen(0, '127.0.0.1');
ready({ port: app.getHttpServer().address().port });
