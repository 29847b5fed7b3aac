import { buffer } from 'node:stream/consumers'
import { authInternalRoutes, authRoutes, exportingServices, type ServiceName } from '@parley/contracts'
import { newId } from '@parley/kit'
import { guestPrincipal, servicePrincipal } from '@parley/testing'
import type { Browser } from './browser.ts'
import type { RunningAuth } from './running-auth.ts'

type Auth = Pick<RunningAuth, 'api'>
/** What a service brings in a call; a run of its own, in one call, unless told. */
export interface Brought {
  readonly run?: string
  readonly call?: number
  readonly pieces?: readonly { path: string; piece?: number; text: string }[]
  readonly last?: boolean
}

/** Contributes as a service; resolves to the status. */
export async function bring(
  auth: Auth,
  exportId: string,
  service: ServiceName,
  brought: Brought = {},
): Promise<number> {
  const { run = newId(), call = 0, last = true } = brought
  const pieces = (brought.pieces ?? []).map(({ path, piece = 0, text }) => ({
    ...{ path, piece },
    data: Buffer.from(text).toString('base64'),
  }))
  const body = { service, run, call, pieces, last }
  const caller = auth.api.as(servicePrincipal(service))
  return (await caller.call(authInternalRoutes.contributeToExport, { params: { id: exportId }, body })).status
}

/** Asks for an export; resolves to its id. */
export async function askForExport(browser: Browser): Promise<string> {
  const asked = await browser.call(authRoutes.requestDataExport)
  if (asked.status !== 202) throw new Error(`not asked: ${asked.text}`)
  return (await browser.call(authRoutes.dataExport)).body.dataExport?.id ?? ''
}

/** Brings what is still missing, of all services but these. */
export async function bringRest(auth: Auth, id: string, ...brought: readonly ServiceName[]): Promise<void> {
  for (const service of exportingServices) if (!brought.includes(service)) await bring(auth, id, service)
}

/** An export that has everything. */
export async function givenExport(auth: Auth, browser: Browser, files: Brought['pieces'] = []): Promise<string> {
  const id = await askForExport(browser)
  await bring(auth, id, 'chat', { pieces: files })
  await bringRest(auth, id, 'chat')
  return id
}

/** Makes the link as notifier does. */
export const issueLink = (auth: Auth, id: string) =>
  auth.api.as(servicePrincipal('notifier')).call(authInternalRoutes.issueDataExportLink, { params: { id } })

/** Downloads by a link's token as nobody. */
export async function download(auth: Auth, id: string, token: string) {
  const answer = await auth.api
    .as(guestPrincipal())
    .stream(authRoutes.downloadDataExport, { params: { id }, body: { token } })
  return { ...answer, bytes: await buffer(answer.body) }
}

/** Follows a link of the version before, which carries the token in its query, as nobody. */
export async function follow(auth: Auth, id: string, token: string) {
  const answer = await auth.api
    .as(guestPrincipal())
    .stream(authRoutes.followDataExport, { params: { id }, query: { token } })
  return { ...answer, bytes: await buffer(answer.body) }
}
