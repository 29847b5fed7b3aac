import { moneyAdminRoutes, moneyInternalRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import { readPreview } from '../limits/read-preview.ts'
import type { BillingParts } from '../parts.ts'

/** Services' counts of limited requests, and the preview of other limits. */
export function addLimitRoutes(router: IRouter, { stores: { requests }, now }: BillingParts): void {
  mount(router, moneyAdminRoutes.limitsPreview, async ({ query }) => ({
    body: await readPreview(requests, query, now()),
  }))
  mount(router, moneyInternalRoutes.countRequests, async ({ body }) => {
    await requests.add(body.id, body.counts)
    return {}
  })
}
