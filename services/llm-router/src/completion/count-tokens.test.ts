import { setImmediate } from 'node:timers/promises'
import { countTokens as countOf } from 'gpt-tokenizer/encoding/cl100k_base'
import { describe, expect, it } from 'vitest'
import { countPrompt } from './count-prompt.ts'
import { countTokens } from './count-tokens.ts'

/** The tokens of a text that is encoded in one piece. */
const exactly = (text: string): number => countOf(text, { disallowedSpecial: new Set() })

const ordinary = {
  English: 'It wasn’t easy, but they’d managed: 12,345 letters (all in one year) had arrived.  Who had sent them?\n\n',
  German:
    'Die Donaudampfschifffahrtsgesellschaft fährt – außer sonntags – um 7:30 Uhr ab; „pünktlich“, wie es heißt.\n',
  code: 'export const read = async (url: string) => {\n\t\tif (!url) throw new Error("none")\n    return fetch(url)\n}\r\n\r\n',
  'a table': '| route | purpose |\n|---|---|\n| `GET /api/models` | models    |   \n\n',
}

describe('the count of tokens', () => {
  it.each(Object.entries(ordinary))('of %s is that of the text in one piece', async (_what, text) => {
    const long = text.repeat(300)
    expect(await countTokens([long])).toBe(exactly(long))
  })

  it.each([
    ['Chinese', '今天天气很好，我们一起去公园散步吧。明天可能会下雨，记得带伞！'],
    ['minified JSON', '{"id":12345,"name":"Somebody","tags":["alpha","beta"],"nested":{"isOpen":true}},'],
  ])('of %s, which has no spaces, differs from it by less than 1 %', async (_what, text) => {
    const long = text.repeat(150)
    const exact = exactly(long)
    expect(Math.abs((await countTokens([long])) - exact) / exact).toBeLessThan(0.01)
  })

  it('of several texts is the sum of theirs, and of none is 0', async () => {
    expect(await countTokens(['Good morning', 'Good night'])).toBe(exactly('Good morning') + exactly('Good night'))
    expect([await countTokens([]), await countTokens([''])]).toEqual([0, 0])
  })

  it('of text that looks like a control token is that of text', async () => {
    expect(await countTokens(['<|endoftext|>'])).toBeGreaterThan(1)
  })

  it('of very long texts is extrapolated', async () => {
    const texts = Object.values(ordinary).map((text) => text.repeat(2_000))
    const exact = texts.reduce((sum, text) => sum + exactly(text), 0)
    expect(Math.abs((await countTokens(texts)) - exact) / exact).toBeLessThan(0.02)
  })

  it('of a long text leaves the event loop to others meanwhile', async () => {
    await countTokens(['Load the encoder'])
    let [turns, isCounted] = [0, false]
    const others = async (): Promise<void> => {
      while (!isCounted) {
        await setImmediate()
        turns += 1
      }
    }
    const othersEnd = others()
    await countTokens([ordinary.English.repeat(500)])
    isCounted = true
    await othersEnd
    expect(turns).toBeGreaterThan(10)
  })
})

// In one piece, each of them takes the encoder minutes.
it.each([
  ['spaces', ' '],
  ['dashes', '-'],
  ['letters', 'qzxj'],
  ['Chinese', '漢'],
  ['emoji', '😀'],
])('a prompt of a hundred texts that are one long word of %s is counted', async (_what, unit) => {
  const messages = Array.from({ length: 100 }, (_, nth) => ({
    role: 'user' as const,
    content: `${nth}${unit.repeat(50_000)}`,
  }))
  const tokens = await countPrompt({ messages, tools: [] })
  // Of spaces more than a hundred fit into a token, of Chinese characters half a one.
  const units = 100 * 50_000 * unit.length
  expect(tokens).toBeGreaterThan(units / 200)
  expect(tokens).toBeLessThan(units * 2.2)
})
