import { moneyAdminRoutes, moneyDaySchema } from '@parley/contracts'
import { mount, validationFailed } from '@parley/kit'
import type { IRouter } from 'express'
import type { BillingParts } from '../parts.ts'
import { type Days, readDays } from '../usage/period.ts'

const mostDays = 3_660
const dayMs = 86_400_000

/** Credits sold and spent, and their cost, by day; mismatches in the books of past days. */
export function addMoneyRoutes(router: IRouter, { stores: { money }, now }: BillingParts): void {
  mount(router, moneyAdminRoutes.money, async ({ query }) => {
    const period = bounded(readDays(query, now()))
    if (query.format === 'csv') {
      return { csv: { name: 'days', columns: Object.keys(moneyDaySchema.shape), pages: [await money.days(period)] } }
    }
    const [days, alarms] = await Promise.all([money.days(period), money.alarms(period)])
    return { body: { days: [...days], alarms: [...alarms] } }
  })
}

/** @throws AppError validation_failed for too many days */
function bounded(period: Days): Days {
  if ((Date.parse(period.to) - Date.parse(period.from)) / dayMs < mostDays) return period
  throw validationFailed([{ path: 'from', message: `Must be at most ${mostDays} days before the end` }])
}
