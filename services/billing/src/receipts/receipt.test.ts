import { describe, expect, it } from 'vitest'
import { receiptOf, type Settled } from './receipt.ts'

/** A complete answer for 3 credits. */
const given = (its: Partial<Settled> = {}): Settled => ({
  generationId: 'answer',
  at: new Date('2026-03-15T12:00:00.000Z'),
  model: 'v3',
  source: 'web',
  keyId: null,
  outcome: 'complete',
  held: 3,
  charged: 3,
  returned: 0,
  late: false,
  unlimited: false,
  inputTokens: 10,
  outputTokens: 20,
  estimated: false,
  balanceAfter: 97,
  ...its,
})
const free = { charged: 0, returned: 3, balanceAfter: 100 }

describe('the receipt of a generation', () => {
  it('has the credits held, charged and returned, and the time of the request', () => {
    expect(receiptOf(given())).toEqual({
      ...{ generationId: 'answer', at: '2026-03-15T12:00:00.000Z', model: 'v3', source: 'web' },
      ...{ held: 3, charged: 3, released: 0, outcome: 'complete', balanceAfter: 97 },
      ...{ inputTokens: 10, outputTokens: 20, estimated: false },
      reason: 'The answer is complete, so this cost the price of v3.',
    })
    expect(receiptOf(given({ source: 'key', keyId: 'k1' }))).toMatchObject({ source: 'key', keyId: 'k1' })
  })

  it.each<[string, Partial<Settled>, string, number, number, RegExp]>([
    [
      'a cheaper model answered',
      { charged: 1, returned: 2 },
      'complete',
      1,
      2,
      /cheaper model .* the rest was returned, so this cost/,
    ],
    ['a free model answered', { held: 0, charged: 0 }, 'complete', 0, 0, /v3 is free/],
    ['it was stopped after text', { outcome: 'stopped' }, 'stopped', 3, 0, /You stopped it after .* price of v3/],
    [
      'it was stopped before text',
      { outcome: 'stopped', outputTokens: 0, ...free },
      'no_output',
      0,
      3,
      /this was free/,
    ],
    ['it broke off after text', { outcome: 'interrupted' }, 'interrupted', 3, 0, /cut off .* was kept/],
    [
      'it broke off before text',
      { outcome: 'interrupted', outputTokens: 0, ...free },
      'no_output',
      0,
      3,
      /this was free/,
    ],
    [
      'it thought and said nothing',
      { outputTokens: 50, ...free },
      'no_output',
      0,
      3,
      /before any of the answer was visible/,
    ],
    ['it came to its end with no tokens', { outputTokens: 0, ...free }, 'no_output', 0, 3, /this was free/],
    ['the provider failed', { outcome: 'error', outputTokens: 0, ...free }, 'failed', 0, 3, /provider failed .* free/],
    [
      'no image was created',
      { outcome: 'error', source: 'image', outputTokens: 0, ...free },
      'failed',
      0,
      3,
      /No image/,
    ],
    ['an image was made', { source: 'image', inputTokens: 0, outputTokens: 0 }, 'complete', 3, 0, /price of v3/],
    [
      'an image was made by key',
      { source: 'key', inputTokens: 0, outputTokens: 0 },
      'complete',
      3,
      0,
      /complete, so this cost the price of v3/,
    ],
    [
      'an admin embedded a text by key',
      { source: 'key', unlimited: true, held: 0, charged: 0, outputTokens: 0 },
      'complete',
      0,
      0,
      /Admins aren’t charged/,
    ],
    [
      'a free answer by key was stopped before text',
      { source: 'key', outcome: 'stopped', held: 0, charged: 0, outputTokens: 0 },
      'no_output',
      0,
      0,
      /this was free/,
    ],
    ['the provider counted no tokens of a visible answer', { outputTokens: 0 }, 'complete', 3, 0, /price of v3/],
    [
      'nobody said how it ended',
      { outcome: null, outputTokens: 0, ...free },
      'failed',
      0,
      3,
      /Its end was never reported/,
    ],
    ['an admin asked', { unlimited: true, held: 0, charged: 0 }, 'complete', 0, 0, /Admins aren’t charged/],
    ['its end arrived late', { charged: 2, returned: 3, late: true }, 'complete', 2, 1, /had already been returned/],
    [
      'its end arrived late, after its month had ended',
      { charged: 1, returned: 0, late: true },
      ...(['complete', 1, 0, /^(?!.*expired).*had already been returned/] as const),
    ],
    [
      'its end arrived late, and too few credits were left',
      { charged: 2, returned: 3, late: true, balanceAfter: 0 },
      ...([
        'complete',
        2,
        1,
        /^Your credits covered only a part of the price of v3.*had already been returned/,
      ] as const),
    ],
    ['its month had ended', { charged: 1, returned: 0 }, 'complete', 1, 0, /expired with it/],
    ['tokens are estimated', { estimated: true }, 'complete', 3, 0, /tokens are estimated/],
  ])('when %s', (_what, its, outcome, charged, released, reason) => {
    expect(receiptOf(given(its))).toMatchObject({ outcome, charged, released, reason: expect.stringMatching(reason) })
  })

  it('gives its reason in one sentence', () => {
    const { reason } = receiptOf(given({ charged: 1, returned: 0, estimated: true }))
    expect(reason).toMatch(/^[A-Z][^.]*\.$/)
  })
})
