import { financeRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { message, send } from './given-chat.ts'
import { type GivenTools, givenTools, toolEvents } from './given-tools.ts'

let given: GivenTools
beforeAll(async () => {
  given = await givenTools()
})
afterAll(() => given.stop())
beforeEach(() => given.router.reset())

const asUser = (user = userPrincipal()) => given.chat.api.as(user)
const quotes = (symbols: string) => asUser().call(financeRoutes.quotes, { query: { symbols } })
const asked = (text: string) => message(text, { financeModeEnabled: true })
const symbolsOf = (answer: Awaited<ReturnType<typeof send>>) =>
  toolEvents(answer).flatMap((event) => {
    const { tool_call_start: start } = event as { tool_call_start?: { parameters: { symbol: string } } }
    return start === undefined ? [] : [start.parameters.symbol]
  })

describe('quotes of tickers', () => {
  it('are in the requested order, without unknown tickers', async () => {
    const { body } = await quotes('msft, NONE,AAPL,MSFT')
    expect(body.quotes).toMatchObject([
      { symbol: 'MSFT', name: 'MSFT', price: 410, change: 2, changePercent: 0.49, currency: 'USD', delayed: false },
      { symbol: 'AAPL', name: 'Apple Inc', price: 190.5 },
    ])
    expect(given.quotes.calls[0]?.headers['x-finnhub-token']).toBe('a key of the operator')
  })

  it('that many users request at once are fetched from the source once', async () => {
    given.quotes.prices.set('BRK.B', { c: 400, d: 0, dp: 0, t: 1_700_000_000 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => quotes('BRK.B')))
    await quotes('BRK.B')
    for (const { body } of answers) expect(body.quotes).toMatchObject([{ symbol: 'BRK.B', delayed: true }])
    expect(given.quotes.calls.filter(({ path }) => path === '/quote?symbol=BRK.B')).toHaveLength(1)
  })

  it.each([
    '../',
    'AAPL?x=',
    'AAPL\r\nX: y',
    'A'.repeat(1_900),
    'ÄPFEL',
    'ıBM',
    '①',
    '$AAPL',
    'AAPL/..',
    '.A',
    '%2e%2e',
  ])('of %j are refused without a call to the source', async (symbols) => {
    const before = given.quotes.calls.length
    const refused = await asUser().get(`/api/finance/quotes?symbols=${encodeURIComponent(symbols)}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_ticker', error: 'Invalid ticker' } })
    expect(given.quotes.calls).toHaveLength(before)
  })

  it('of a very long text are refused as of any other text that is no ticker', async () => {
    const refused = await asUser().get(`/api/finance/quotes?symbols=${'A'.repeat(10_000)}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_ticker', error: 'Invalid ticker' } })
  })

  it('of more than twenty tickers are refused, and of no ticker are empty', async () => {
    const many = Array.from({ length: 21 }, (_, nth) => `T${nth}`).join()
    expect((await asUser().get(`/api/finance/quotes?symbols=${many}`)).status).toBe(400)
    expect((await quotes(' , ')).body).toEqual({ quotes: [] })
    const long = await asUser().get(`/api/finance/quotes?symbols=${'A'.repeat(10_000)}`)
    expect(long.status).toBe(400)
  })

  it('are 503 without a source, and while it is unavailable', async () => {
    const plain = await given.replica()
    const none = await plain.api.as(userPrincipal()).get('/api/finance/quotes?symbols=AAPL')
    expect(none).toMatchObject({ status: 503, body: { error: expect.stringContaining('no price source') } })
    const known = given.quotes.script
    given.quotes.script = (_call, response) => response.writeHead(500).end()
    expect((await asUser().get('/api/finance/quotes?symbols=TSLA')).status).toBe(503)
    const quote = (price: object) => JSON.stringify({ c: 1, d: 1, dp: 1, t: 1, ...price })
    for (const text of ['', '[]', '{"c":"1"}', quote({ t: 1e300 }), quote({ t: -1e300 })]) {
      given.quotes.script = (_call, response) => response.end(text)
      expect((await asUser().get('/api/finance/quotes?symbols=TSLA')).status, text).toBe(503)
    }
    given.quotes.script = known
  })
})

describe('a watchlist', () => {
  it('belongs to one user, keeps its order and has no repeats', async () => {
    const caller = asUser()
    expect((await caller.call(financeRoutes.watchlist)).body).toEqual({ symbols: [] })
    const { body } = await caller.call(financeRoutes.setWatchlist, { body: { symbols: ['msft', 'AAPL', 'MSFT'] } })
    expect(body).toEqual({ symbols: ['MSFT', 'AAPL'] })
    expect((await caller.call(financeRoutes.watchlist)).body).toEqual(body)
    expect((await asUser().call(financeRoutes.watchlist)).body).toEqual({ symbols: [] })
  })

  it('refuses a malformed ticker', async () => {
    const caller = asUser()
    for (const malformed of ['A B', 'A'.repeat(1_000)]) {
      const refused = await caller.send('PUT', '/api/finance/watchlist', { body: { symbols: ['AAPL', malformed] } })
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_ticker' } })
    }
    expect((await caller.call(financeRoutes.watchlist)).body).toEqual({ symbols: [] })
  })
})

describe('finance mode', () => {
  it('looks up the tickers of a message, those of the watchlist also as bare words', async () => {
    const caller = asUser()
    await caller.call(financeRoutes.setWatchlist, { body: { symbols: ['MSFT', 'ALL'] } })
    const answer = await send(caller, asked('Is $aapl, or MSFT, better than all of IBM for $100?'))
    expect(symbolsOf(answer)).toEqual(['AAPL', 'MSFT'])
    const prompt = JSON.stringify(given.router.calls[0]?.body.messages)
    expect(prompt).toContain('AAPL: 190.5 USD')
    expect(prompt).toContain('Finance mode is on.')
    expect(answer.text).toContain('better than all')
  })

  it('looks up eight at most, and none of a message without tickers', async () => {
    const many = Array.from({ length: 30 }, (_, nth) => `$AB${String.fromCharCode(65 + (nth % 26))}${nth}`).join(' ')
    expect(symbolsOf(await send(asUser(), asked(many)))).toHaveLength(8)
    expect(symbolsOf(await send(asUser(), asked('How are markets today?')))).toEqual([])
  })

  it('without a source reports that in the stream, and answers', async () => {
    const plain = await given.replica()
    const answer = await send(plain.api.as(userPrincipal()), asked('And $AAPL?'))
    expect(answer.data.join()).toContain('no price source')
    expect(answer.last).toMatchObject({ done: true, finishReason: 'stop' })
  })
})
