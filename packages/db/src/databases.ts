import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { onConnection } from './on-connection.ts'
import { checkSchemaName } from './schema-name.ts'

/**
 * Makes an empty database beside the one `adminUrl` names, and gives its URL.
 * @param icuLocale orders its texts, such as `en-US`; the server's own collation by default
 */
export async function createDatabase(adminUrl: string, name: string, icuLocale?: string): Promise<string> {
  // Only the empty template may be copied under another collation.
  const collated = icuLocale && ` template template0 locale_provider icu icu_locale ${pg.escapeLiteral(icuLocale)}`
  await asAdmin(adminUrl, `create database ${pg.escapeIdentifier(name)}${collated ?? ''}`)
  return urlOf(adminUrl, name)
}

/** Drops a database, ending every connection to it. A missing one is no error. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

/** A role that may use one schema of one database and nothing else. */
export interface ServiceRole {
  readonly role: string
  readonly password: string
  /** Made when it is missing, and then the role's own. */
  readonly schema: string
  /** Must be there. */
  readonly database: string
}

/**
 * Creates a service's role and schema, or updates them, by `sql/service-role.sql`, which operators run themselves.
 * @param adminUrl a superuser's, or an administrator's who owns the database and may create roles; of any database of the server
 * @returns the URL of the database for this role
 */
export async function createServiceRole(adminUrl: string, options: ServiceRole): Promise<string> {
  const { role, password, schema, database } = options
  const values: Readonly<Record<string, string>> = { role, password, schema: checkSchemaName(schema) }
  const statements = await readFile(new URL('../sql/service-role.sql', import.meta.url), 'utf8')
  const filled = statements.replace(/:'(\w+)'/g, (_place, name: string) => pg.escapeLiteral(values[name] ?? ''))
  await asAdmin(urlOf(adminUrl, database), filled)
  const url = new URL(urlOf(adminUrl, database))
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  return url.href
}

/** Drops a service's role, after the database that holds its schema. A missing one is no error. */
export async function dropServiceRole(adminUrl: string, role: string): Promise<void> {
  await asAdmin(adminUrl, `drop role if exists ${pg.escapeIdentifier(role)}`)
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

const asAdmin = (url: string, statement: string): Promise<unknown> =>
  onConnection({ connectionString: url, connectionTimeoutMillis: 10_000 }, (client) => client.query(statement))
