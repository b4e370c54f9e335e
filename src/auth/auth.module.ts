import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Administrators } from './administrators.js';
import { CaptchaService } from './captcha-service.js';
import { ClientAddress } from './client-address.js';
import { CrossSiteCheck } from './cross-site-check.js';
import { Administrator } from './entities/index.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { KnownDevices } from './known-devices.js';
import { FailureLimits } from './failure-limits.js';
import { LocalAuthGuard } from './local-auth.guard.js';
import { LoginService } from './login-service.js';
import { PasswordHasher } from './password-hasher.js';
import { AuthPolicyChecker } from './policy-checker.js';
import { RateGate } from './rate-gate.js';
import { RateLimiter } from './rate-limiter.js';
import { SessionService } from './session-service.js';
import { SignInDelay } from './sign-in-delay.js';
import { SignInLimits } from './sign-in-limits.js';

const services = [
  Administrators,
  AuthPolicyChecker,
  CaptchaService,
  ClientAddress,
  CrossSiteCheck,
  FailedSignIns,
  KnownDevices,
  FailureLimits,
  LocalAuthGuard,
  LoginService,
  PasswordHasher,
  RateGate,
  RateLimiter,
  SessionService,
  SignInDelay,
  SignInLimits,
];

/** Who somebody is, and what stands between them and trying to be somebody else. */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([Administrator])], providers: services, exports: services })
export class AuthModule {}
