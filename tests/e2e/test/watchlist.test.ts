import { expect } from 'vitest'
import { intercept } from '../src/intercept.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import { composer, enter, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  on.quotes.prices.set('ENPH', { c: 71.23, d: -1.2, dp: -1.66, t: 1_790_000_000 })
})

it('a watchlist that could not be loaded is kept when a ticker is added, and lets go of two that are removed at once', async ({
  visitor: { page },
}) => {
  const person = await registerPerson(on.system, 'investor')
  await person.api.put('/api/finance/watchlist', { symbols: ['AAPL', 'MSFT', 'NVDA'] })
  let isLost = true
  const held = Promise.withResolvers<void>()
  await intercept(page, '/finance/watchlist', async ({ method, body }) => {
    if (method === 'GET') return isLost ? { status: 500 } : 'continue'
    const { symbols } = body as { symbols: readonly string[] }
    if (!symbols.includes('AAPL')) await held.promise
    return 'continue'
  })
  await enter(page, person)
  await composer(page).fill('/finance')
  await composer(page).press('Enter')
  await page.getByRole('button', { name: 'Edit watchlist' }).click()
  isLost = false
  const dialog = page.getByRole('dialog', { name: 'Watchlist' })
  const remover = (symbol: string) => dialog.getByRole('button', { name: `Stop following ${symbol}` })
  await dialog.getByLabel('Ticker').fill('ENPH')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await remover('AAPL').click()
  await remover('MSFT').click()
  held.resolve()
  await remover('MSFT').waitFor({ state: 'detached' })
  await toHaveFocus(remover('ENPH'))
  const stored = async () => (await person.api.get('/api/finance/watchlist')).body
  await expect.poll(stored).toEqual({ symbols: ['NVDA', 'ENPH'] })
})
