import { authInternalRoutes, type ServiceName } from '@parley/contracts'
import { createServiceClient, type IdentityCodec } from '@parley/kit'
import type { z } from 'zod'
import { answerJson, startFakeOutsider } from './fake-outsider.ts'

const bodySchema = authInternalRoutes.contributeToExport.body as NonNullable<
  typeof authInternalRoutes.contributeToExport.body
>
/** A service's call that contributes to a data export. */
export type ExportCall = z.output<typeof bodySchema> & { readonly exportId: string }

export type ExportBox = ReturnType<typeof createExportBox>

/** Collects contributions to data exports for a fake of auth. */
export function createExportBox() {
  const calls: ExportCall[] = []
  const refusals: (404 | 503)[] = []
  return {
    /** Accepted calls of all exports, in order. */
    calls: calls as readonly ExportCall[],
    /** Statuses of the next calls instead of 204, each used once. */
    refusals,
    /** Accepts a call if its body matches the contract. Returns the status of the answer. */
    take(path: string, body: unknown): 204 | 400 | 404 | 503 {
      const [, exportId] = /^\/internal\/data-exports\/([^/]+)\/contributions$/.exec(path) ?? []
      if (exportId === undefined) return 404
      const parsed = bodySchema.safeParse(body)
      if (!parsed.success) return 400
      const refusal = refusals.shift()
      if (refusal === undefined) calls.push({ exportId, ...parsed.data })
      return refusal ?? 204
    },
    /** The complete files of the last finished run; undefined before one is finished. */
    filesOf(exportId: string): ReadonlyMap<string, Buffer> | undefined {
      const own = calls.filter((call) => call.exportId === exportId)
      const ended = own.findLast(({ last }) => last)
      return ended && filesOfRun(own.filter(({ run }) => run === ended.run))
    },
  }
}

export type FakeExports = Awaited<ReturnType<typeof startFakeExports>>

const codes = { 400: 'validation_failed', 404: 'not_found', 503: 'unavailable' } as const

/** An HTTP fake of auth's route for contributions to data exports, on a free port, for one service. */
export async function startFakeExports(self: ServiceName, identity: IdentityCodec) {
  const box = createExportBox()
  const server = await startFakeOutsider(({ path, body }, response) => {
    const status = box.take(path, body === '' ? undefined : JSON.parse(body))
    if (status === 204) response.writeHead(204).end()
    else answerJson(response, { error: 'Refused', code: codes[status], requestId: 'request' }, status)
  })
  const client = createServiceClient({ self, locate: () => server.url, identity })
  return {
    ...box,
    /** The service's client, which only reaches this fake. */
    client,
    async close(): Promise<void> {
      await client.close()
      await server.close()
    },
  }
}

function filesOfRun(calls: readonly ExportCall[]): ReadonlyMap<string, Buffer> {
  const pieces = calls.flatMap((call) => call.pieces)
  const files = [...Map.groupBy(pieces, ({ path }) => path)].map(([path, own]): [string, Buffer] => {
    const inOrder = own.sort((a, b) => a.piece - b.piece)
    return [path, Buffer.concat(inOrder.map(({ data }) => Buffer.from(data, 'base64')))]
  })
  return new Map(files)
}
