import { expect, it } from 'vitest'
import { createTranscript } from './transcript.ts'

const given = () => {
  let time = 1_000
  const transcript = createTranscript({ model: 'v3', price: 1, opening: [] }, () => new Date(time))
  return {
    transcript,
    at(ms: number, kind: 'text' | 'reasoning', text: string) {
      time = ms
      return transcript.add([{ kind, text }])
    },
    thoughtAt(ms: number) {
      time = ms
      return transcript.progress().reasoningMs
    },
  }
}

it('a transcript measures reasoning from its first piece to the text, or to now without one', () => {
  const { at, thoughtAt } = given()
  expect(thoughtAt(1_500)).toBe(0)
  at(2_000, 'reasoning', 'Hm')
  at(3_000, 'reasoning', 'mm')
  expect(thoughtAt(4_000)).toBe(2_000)
  at(4_500, 'text', 'Yes')
  at(6_000, 'reasoning', 'But')
  at(7_000, 'text', '.')
  expect(thoughtAt(9_000)).toBe(2_500)
})

it('a transcript measures no time without reasoning, and no negative one when the clock is set back', () => {
  const plain = given()
  plain.at(2_000, 'text', 'Yes')
  expect(plain.thoughtAt(3_000)).toBe(0)
  const back = given()
  back.at(2_000, 'reasoning', 'Hm')
  expect(back.thoughtAt(1_000)).toBe(0)
})

it('a transcript numbers its entries from 1 without gaps, and rebuilds any of them', () => {
  const { transcript, at } = given()
  const start = { chatId: 'c', messageId: 'm', userMessageId: 'u', model: 'v3' }
  const entries = [
    ...transcript.open({ model: 'v3', price: 1, opening: [start] }),
    ...at(2_000, 'reasoning', 'Hm'),
    ...at(3_000, 'text', 'Yes'),
  ]
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect([transcript.after(0), transcript.after(2), transcript.after(3)]).toEqual([entries, entries.slice(2), []])
  transcript.end(['last', '[DONE]'])
  expect(transcript.after(3)).toEqual([
    { seq: 4, data: 'last' },
    { seq: 5, data: '[DONE]' },
  ])
  expect(transcript.progress().frames).toEqual([-2, 3])
})

it('a transcript has no entries before it is opened, whatever its opening becomes', () => {
  const start = { chatId: 'c', messageId: 'm', userMessageId: 'u', model: 'v3' }
  const transcript = createTranscript({ model: 'v3', price: 1, opening: [start] }, () => new Date(1_000))
  expect(transcript.after(0)).toEqual([])
})
