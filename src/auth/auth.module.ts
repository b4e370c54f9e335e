import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AdminRoles } from './admin-roles.js';
import { AdministratorAccounts } from './administrator-accounts.js';
import { Administrators } from './administrators.js';
import { ApiKeys } from './api-keys.js';
import { CaptchaService } from './captcha-service.js';
import { ClientAddress } from './client-address.js';
import { CodeProof } from './code-proof.js';
import { CodeStep } from './code-step.js';
import { CountedTries } from './counted-tries.js';
import { Credentials } from './credentials.js';
import { CrossSiteCheck } from './cross-site-check.js';
import { Administrator } from './entities/index.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { KnownDevices } from './known-devices.js';
import { FailureLimits } from './failure-limits.js';
import { LinkTokens } from './link-tokens.js';
import { LocalSignIn } from './local-sign-in.js';
import { LoginService } from './login-service.js';
import { PasswordHasher } from './password-hasher.js';
import { AuthPolicyChecker } from './policy-checker.js';
import { RateGate } from './rate-gate.js';
import { RateLimiter } from './rate-limiter.js';
import { SecondFactors } from './second-factors.js';
import { SessionService } from './session-service.js';
import { SignInDelay } from './sign-in-delay.js';
import { SignInEntry } from './sign-in-entry.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInSteps } from './sign-in-steps.js';

const services = [
  AdminRoles,
  AdministratorAccounts,
  Administrators,
  ApiKeys,
  AuthPolicyChecker,
  CaptchaService,
  ClientAddress,
  CodeProof,
  CodeStep,
  CountedTries,
  Credentials,
  CrossSiteCheck,
  FailedSignIns,
  KnownDevices,
  FailureLimits,
  LinkTokens,
  LocalSignIn,
  LoginService,
  PasswordHasher,
  RateGate,
  RateLimiter,
  SecondFactors,
  SessionService,
  SignInDelay,
  SignInEntry,
  SignInLimits,
  SignInSteps,
];

/** Authentication of accounts, and its protection against guessing. */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([Administrator])], providers: services, exports: services })
export class AuthModule {}
