import { openPgStores } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createDataExportStore } from './account-data/data-export-store.ts'
import { createErasureStore } from './account-data/erasure-store.ts'
import { createAccountStore } from './account-store.ts'
import { createAuditStore } from './administration/audit-store.ts'
import { createSettingsStore } from './administration/settings-store.ts'
import { createUserAdminStore } from './administration/user-admin-store.ts'
import { createPasswordResetStore } from './passwords/password-reset-store.ts'
import { createPasswordStore } from './passwords/password-store.ts'
import { createAttemptStore } from './sessions/attempt-store.ts'
import { createSessionStore } from './sessions/session-store.ts'
import { createSigningKeyStore } from './sessions/signing-key-store.ts'
import { createSingleSignOnStore } from './single-sign-on/single-sign-on-store.ts'
import { createSweepStore } from './sweep-store.ts'
import type { AuthTables } from './tables.ts'
import { createEmailStore } from './verification/email-store.ts'
import { createVerificationStore } from './verification/verification-store.ts'

/** Auth's stores, over one pool. */
export type AuthStores = ReturnType<typeof openAuthStores>

const migrations = new URL('../../migrations', import.meta.url)

/** Auth's stores in PostgreSQL; connects on demand. */
export function openAuthStores(options: { readonly url: string; readonly log: Logger }) {
  const { postgres, common } = openPgStores<AuthTables>({ ...options, schema: 'auth', migrations })
  const { db } = postgres
  return {
    ...common,
    accounts: createAccountStore(db),
    audit: createAuditStore(db),
    dataExports: createDataExportStore(db),
    emails: createEmailStore(db),
    erasures: createErasureStore(db),
    passwordResets: createPasswordResetStore(db),
    passwords: createPasswordStore(db),
    sessions: createSessionStore(db),
    settings: createSettingsStore(db),
    signingKeys: createSigningKeyStore(db),
    singleSignOn: createSingleSignOnStore(db),
    sweeps: createSweepStore(db),
    attempts: createAttemptStore(db),
    userAdmin: createUserAdminStore(db),
    verifications: createVerificationStore(db),
  }
}
