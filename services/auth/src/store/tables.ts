import type { DataExport, Locale, mailOutcomes, Preferences, User } from '@parley/contracts'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

type Json<T> = ColumnType<T, string, string>

/** A row of `users`. */
export interface UsersTable {
  id: string
  seq: Generated<number>
  username: string
  username_key: string
  email: string
  email_key: string
  display_name: string | null
  auth_type: Generated<User['authType']>
  email_verified: Generated<boolean>
  first_verified_at: Date | null
  is_admin: Generated<boolean>
  is_super_admin: Generated<boolean>
  banned_at: Date | null
  email_problem: string | null
  preferences: JSONColumnType<Partial<Preferences>>
  created_at: Generated<Date>
  last_login_at: Date | null
  last_seen_at: Date | null
}

/** The schema `auth` as its migrations make it. */
export interface AuthTables {
  users: UsersTable
  credentials: { user_id: string; password_hash: string; changed_at: Generated<Date> }
  identities: { issuer: string; subject: string; user_id: string; created_at: Generated<Date> }
  oauth_requests: { state_hash: Buffer; browser_hash: Buffer; sealed: Buffer; expires_at: Date }
  oauth_links: { browser_hash: Buffer; user_id: string; sealed: Buffer; expires_at: Date }
  sessions: {
    id: string
    user_id: string
    created_at: Generated<Date>
    last_used_at: Generated<Date>
    expires_at: Date
    ended_at: Date | null
    user_agent: string
    network: string
  }
  refresh_tokens: { hash: Buffer; session_id: string; rotated_at: Date | null }
  pending_sign_ins: { hash: Buffer; user_id: string; expires_at: Date }
  verifications: {
    id: string
    user_id: string
    email: string
    created_at: Generated<Date>
    closed_at: Date | null
    code_hash: Buffer | null
    code_expires_at: Date | null
    wrong_tries: Generated<number>
    mail_outcome: Generated<(typeof mailOutcomes)[number]>
  }
  password_resets: {
    id: string
    user_id: string | null
    created_at: Generated<Date>
    closed_at: Date | null
    token_hash: Buffer | null
    token_expires_at: Date | null
  }
  code_tries: { user_id: string; at: Generated<Date> }
  email_changes: { id: string; user_id: string; old_email: string; new_email: string; at: Generated<Date> }
  erasures: {
    id: string
    user_id: string
    email: string
    username: string
    locale: Locale
    pending: string[]
    requested_at: Generated<Date>
    asked_at: Generated<Date>
    erased_at: Date | null
    told_at: Date | null
  }
  erased_users: { id_hash: Buffer; erased_at: Generated<Date> }
  sign_in_tries: { key: string; used: number; resets_at: Date }
  settings: { single: Generated<boolean>; version: number; changes: Json<Record<string, unknown>> }
  audit: {
    seq: Generated<number>
    id: string
    at: Generated<Date>
    actor_id: string
    actor_name: string
    action: string
    target: string | null
    target_name: string | null
    reversible: Generated<boolean>
    undoes: string | null
    undone_by: string | null
    before: Json<unknown> | null
    after: Json<unknown> | null
    request_id: string
  }
  data_exports: {
    id: string
    user_id: string
    state: Generated<DataExport['state']>
    requested_at: Generated<Date>
    last_sign_at: Generated<Date>
    expires_at: Date | null
    token_hash: Buffer | null
    withdrawn: Generated<boolean>
  }
  data_export_contributions: { export_id: string; service: string; run: string | null; done: Generated<boolean> }
  data_export_pieces: { export_id: string; service: string; path: string; piece: number; data: Buffer | null }
  signing_keys: {
    kid: string
    public_jwk: Json<Record<string, unknown>>
    private_key: Buffer
    created_at: Generated<Date>
    signs_from: Generated<Date>
  }
}
