import { expect, it } from 'vitest'
import { startFakeQuotes } from '../src/fakes/fake-quotes.ts'
import { startFakeSearch } from '../src/fakes/fake-search.ts'

it('a fake search returns the given results, and records its queries', async () => {
  const search = await startFakeSearch()
  search.found = [{ url: 'https://one.example/', title: 'One' }]
  const ask = async (path: string) =>
    await fetch(search.url + path, { method: 'POST', body: JSON.stringify({ query: 'first' }) })
  expect(await (await ask('/search')).json()).toMatchObject({ results: search.found })
  expect((await ask('/other')).status).toBe(404)
  expect(search.queries()).toEqual(['first', 'first'])
  search.script = (_call, response) => response.writeHead(402).end()
  expect((await ask('/search')).status).toBe(402)
  await search.close()
})

it('fake quotes answer an unknown symbol with zeros, as the real ones do', async () => {
  const quotes = await startFakeQuotes()
  quotes.prices.set('AAPL', { c: 1, d: 0, dp: 0, t: 5 })
  quotes.names.set('AAPL', 'Apple Inc')
  const get = async (path: string) => await (await fetch(quotes.url + path)).json()
  expect(await get('/quote?symbol=AAPL')).toEqual({ c: 1, d: 0, dp: 0, t: 5 })
  expect(await get('/quote?symbol=NONE')).toEqual({ c: 0, d: null, dp: null, t: 0 })
  expect(await get('/stock/profile2?symbol=AAPL')).toMatchObject({ name: 'Apple Inc' })
  expect(quotes.calls.map(({ path }) => path)).toHaveLength(3)
  await quotes.close()
})
