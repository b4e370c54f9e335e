import './texts.js';

import { StoreCallers } from '../call/index.js';

import { AdminUsersController } from './admin-users.controller.js';
import { AttemptLimits } from './attempt-limits.js';
import { AuthController } from './auth.controller.js';
import { CaptchaGate } from './captcha-gate.js';
import { CredentialsController } from './credentials.controller.js';
import { LostPasswords } from './lost-passwords.js';
import { OwnAccountController } from './own-account.controller.js';
import { PasswordChanges } from './password-changes.js';
import { PasswordLinks } from './password-links.js';
import {
  CodeForm,
  LostPasswordController,
  LostPasswordForm,
  NewPasswordForm,
  SecondFactorController,
  UserRecoveryController,
} from './recovery.controller.js';
import { StoreAccounts } from './store-accounts.js';
import { StoreIdentities } from './store-identities.js';
import { StoreMail } from './store-mail.js';
import { StorePasswordHasher } from './store-password-hasher.js';
import { StoreSessions } from './store-sessions.js';
import { StoreSignIns } from './store-sign-ins.js';
import { StoreTokens } from './store-tokens.js';
import { UserAdministration } from './user-administration.js';

export { ensureStoreAdministrator, storeNamesWithDefaultPassword } from './first-store-administrator.js';
export { LoginForm, PasswordForm, ProfileForm, RegisterForm, TokenForm, UserChangeForm } from './account-forms.js';
export { PlainText } from './plain-text.js';
export { type User } from './user-wire.js';
export { AdminUsersController, AuthController, CredentialsController, OwnAccountController, StoreAccounts, StoreSessions };

export { CodeForm, LostPasswordController, LostPasswordForm, NewPasswordForm, SecondFactorController, UserRecoveryController };
export { StoreMail, StoreMailer, type StoreLetter } from './store-mail.js';

/** Controllers of the account endpoints. */
export const ACCOUNT_CONTROLLERS = [
  AuthController,
  OwnAccountController,
  LostPasswordController,
  SecondFactorController,
  CredentialsController,
  AdminUsersController,
  UserRecoveryController,
];

/** Providers of the account controllers. */
export const ACCOUNT_SERVICES = [
  AttemptLimits,
  CaptchaGate,
  LostPasswords,
  PasswordChanges,
  PasswordLinks,
  StoreAccounts,
  StoreMail,
  StorePasswordHasher,
  { provide: StoreCallers, useClass: StoreIdentities },
  StoreSessions,
  StoreSignIns,
  StoreTokens,
  UserAdministration,
];
