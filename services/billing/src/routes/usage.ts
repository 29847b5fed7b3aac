import { setTimeout as delay } from 'node:timers/promises'
import { receiptSchema, usageAdminRoutes, usageItemSchema, usageRoutes } from '@parley/contracts'
import { actingUser, type Call, cursorOf, mount, notFound, readPage, readSpan, unknownCursor } from '@parley/kit'
import type { IRouter } from 'express'
import type { BillingParts } from '../parts.ts'
import { receiptOf, type Settled } from '../receipts/receipt.ts'
import type { ReceiptPlace } from '../store/receipt-store.ts'
import { firstTokenOf } from '../usage/first-token.ts'
import { dayOf, readDays } from '../usage/period.ts'

/** Usage and its cost, for users and admins. */
export function addUsageRoutes(router: IRouter, { stores, now }: BillingParts): void {
  const { accounts, usage, receipts } = stores
  const page = async (userId: string, query: Call<typeof usageRoutes.receipts>['query']) => {
    const { limit, cursor } = query
    const rows = await receipts.list(userId, { ...readSpan(query), limit, after: readPlace(cursor) })
    return { items: rows.map(receiptOf), nextCursor: rows.length < limit ? null : placeAfter(rows.at(-1)) }
  }
  mount(router, usageRoutes.usage, async ({ principal, query }) => ({
    body: await usage.ofUser(actingUser(principal).userId, readDays(query, now())),
  }))
  mount(router, usageRoutes.receipts, async ({ principal, query }) => ({
    body: await page(actingUser(principal).userId, query),
  }))
  mount(router, usageRoutes.receipt, async ({ principal, params }) => {
    const settled = await findSettled(receipts, actingUser(principal).userId, params.generationId)
    if (settled === undefined) throw notFound('Receipt not found')
    return { body: receiptOf(settled) }
  })
  mount(router, usageAdminRoutes.usage, async ({ query }) => {
    const days = { ...readDays(query, now()), today: dayOf(now()) }
    if (query.format === 'csv') {
      const pages = usage.everyItem(days, query.by)
      return { csv: { name: 'items', columns: Object.keys(usageItemSchema.shape), pages } }
    }
    const asked = readPage(query)
    // Days are not paged.
    if (query.by === 'day' && asked.after !== undefined) throw unknownCursor()
    const items = [...(await usage.ofAll(days, query.by, asked))]
    const last = query.by === 'day' || items.length < asked.limit ? undefined : items.at(-1)
    return { body: { items, nextCursor: cursorOf(last && { seq: last.requests, value: last.id }) } }
  })
  mount(router, usageAdminRoutes.firstToken, async ({ query }) => {
    const steps = await usage.firstTokens(readDays(query, now()))
    const days = [...Map.groupBy(steps, ({ date }) => date)].flatMap(([date, own]) => {
      const told = firstTokenOf(own)
      return told === null ? [] : [{ date, ...told }]
    })
    return { body: { total: firstTokenOf(steps.toSorted((a, b) => a.step - b.step)), days } }
  })
  const ensureKnown = async (userId: string): Promise<void> => {
    const [known] = await accounts.readKnown([userId])
    if (known === undefined) throw notFound('User not found')
  }
  mount(router, usageAdminRoutes.userUsage, async ({ params, query }) => {
    await ensureKnown(params.id)
    return { body: await usage.ofUser(params.id, readDays(query, now())) }
  })
  mount(router, usageAdminRoutes.receipts, async ({ params, query }) => {
    await ensureKnown(params.id)
    if (query.format !== 'csv') return { body: await page(params.id, query) }
    const span = readSpan(query)
    const pages = async function* () {
      for await (const rows of receipts.every(params.id, span)) yield rows.map(receiptOf)
    }
    return { csv: { name: 'receipts', columns: Object.keys(receiptSchema.shape), pages: pages() } }
  })
}

/** A program may ask for a receipt before the news of its answer's end has arrived: that is waited for, in milliseconds. */
const patience = { pollMs: 50, polls: 20 }
type Receipts = BillingParts['stores']['receipts']

async function findSettled(receipts: Receipts, userId: string, id: string): Promise<Settled | undefined> {
  for (let poll = 0; ; poll += 1) {
    // Asked for first, since the news may arrive in between.
    const isAwaiting = poll < patience.polls && (await receipts.isAwaiting(userId))
    const settled = await receipts.find(userId, id)
    if (settled !== undefined || !isAwaiting) return settled
    await delay(patience.pollMs)
  }
}

const placeAfter = (last: Settled | undefined): string | null =>
  last === undefined ? null : `${last.at.getTime()}.${last.generationId}`

/** @throws AppError validation_failed for an invalid cursor */
function readPlace(cursor: string | undefined): ReceiptPlace | undefined {
  if (cursor === undefined) return undefined
  const [, ms, generationId] = /^(\d{1,14})\.(.{1,128})$/.exec(cursor) ?? []
  if (ms === undefined || generationId === undefined) {
    throw unknownCursor()
  }
  return { at: new Date(Number(ms)), generationId }
}
