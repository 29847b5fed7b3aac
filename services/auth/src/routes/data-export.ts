import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { actingUser, createKeyedLimiter, mount, mountStream, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { issueExportLink, lastExport, requestExport, takeContribution } from '../account-data/data-export.ts'
import { zipOf } from '../account-data/export-zip.ts'
import type { AuthParts } from '../parts.ts'
import { downloadedTwice } from '../refusals.ts'
import { hashToken } from '../secrets.ts'

const stalledMs = 60_000
/** Concurrent downloads of one export: packing it costs as much as it is long. */
const downloadsAtOnce = 2
const message = 'Your data is being collected. We’ll email you a link to it.'

/** The copy of all data of a user: asked for, contributed to by services, downloaded by a mailed link. */
export function addDataExportRoutes(router: IRouter, parts: AuthParts): void {
  const { dataExports } = parts.stores
  const downloads = createKeyedLimiter(downloadsAtOnce, 0, () => downloadedTwice(downloadsAtOnce))
  mount(router, authRoutes.dataExport, async ({ principal }) => ({
    body: await lastExport(parts, actingUser(principal).userId),
  }))
  mount(router, authRoutes.requestDataExport, async ({ principal }) => {
    await requestExport(parts, actingUser(principal).userId)
    return { body: { message } }
  })
  const send = async (id: string, token: string, response: ServerResponse, withBody: boolean): Promise<void> => {
    const requestedAt = await dataExports.opened(id, hashToken(token))
    if (requestedAt === undefined) throw notFound()
    const name = `parley-data-${requestedAt.toISOString().slice(0, 10)}.zip`
    if (!withBody) {
      sayZip(response, name)
      response.end()
      return
    }
    await downloads.run(id, async () => {
      sayZip(response, name)
      // A reader who takes nothing for so long is gone.
      response.setTimeout(stalledMs, () => response.destroy())
      const files = await dataExports.files(id)
      const zipped = files.map((file) => ({ path: file.path, content: () => dataExports.content(id, file) }))
      await pipeline(zipOf(zipped, requestedAt), response).catch(throwUnlessLeft)
    })
  }
  mountStream(router, authRoutes.downloadDataExport, async ({ params, body }, response) => {
    await send(params.id, body.token, response, true)
  })
  mountStream(router, authRoutes.followDataExport, async ({ params, query }, response, { method }) => {
    await send(params.id, query.token, response, method !== 'HEAD')
  })
  mount(router, authInternalRoutes.issueDataExportLink, async ({ params }) => ({
    body: await issueExportLink(parts, params.id),
  }))
  mount(router, authInternalRoutes.contributeToExport, async ({ params, body }) => {
    await takeContribution(parts, params.id, body)
    return {}
  })
}

function sayZip(response: ServerResponse, name: string): void {
  response.setHeader('content-type', 'application/zip')
  response.setHeader('content-disposition', `attachment; filename="${name}"`)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('cache-control', 'private, no-store')
}

/** A reader who leaves is no fault. */
function throwUnlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}
