import { describe, expect, it } from 'vitest'
import { type Heard, hear, placeIn } from './dictated-text.ts'

const interim = (words: string): Heard => ({ words, isFinal: false })
const final = (words: string): Heard => ({ words, isFinal: true })
const end = (text: string) => placeIn(text, text.length, text.length, 0)

describe('dictated words', () => {
  it('appear at the caret while they are spoken, and may change until they are final', () => {
    const place = placeIn('Dear Ann, Bye', 9, 9, 0)
    const first = hear(place, [interim('thank')])
    expect(first).toMatchObject({ text: 'Dear Ann, thank Bye', caret: 15, step: null })
    const second = hear(first.place, [interim('thanks a')])
    expect(second).toMatchObject({ text: 'Dear Ann, thanks a Bye', step: null })
    const third = hear(second.place, [final('Thanks a lot.')])
    expect(third).toMatchObject({
      text: 'Dear Ann, Thanks a lot. Bye',
      step: { from: 'Dear Ann, Bye', to: 'Dear Ann, Thanks a lot. Bye' },
    })
  })

  it('follow final ones, each phrase as an undo step', () => {
    const first = hear(end(''), [final('One two'), interim(' three')])
    expect(first).toMatchObject({ text: 'One two three', step: { from: '', to: 'One two' } })
    const second = hear(first.place, [final('One two'), final(' three four')])
    expect(second).toMatchObject({ text: 'One two three four', step: { from: 'One two', to: 'One two three four' } })
  })

  it('replace the selection', () => {
    expect(hear(placeIn('Hello world', 6, 11, 0), [final('there')]).text).toBe('Hello there')
  })

  it('leave the text unchanged if the recogniser retracts them', () => {
    const { place } = hear(end('Hello'), [interim('word')])
    expect(hear(place, [])).toMatchObject({ text: 'Hello', caret: 5, step: null })
    expect(hear(placeIn('ab', 1, 1, 0), [interim(' ')]).text).toBe('ab')
  })

  it('are written once, although the recogniser repeats final results', () => {
    expect(hear(placeIn('Hello', 5, 5, 1), [interim('hello'), interim('you')]).text).toBe('Hello you')
  })

  it.each([
    ['', 'Hi', 'Hi'],
    ['Line\n', 'next', 'Line\nnext'],
    ['(', 'so', '(so'],
    ['今日は', '雨です', '今日は雨です'],
    ['Hello', ', you', 'Hello, you'],
    ['مرحبا', 'بك', 'مرحبا بك'],
  ])('are added after %j, with a space if one is missing', (before, words, text) => {
    expect(hear(end(before), [final(words)]).text).toBe(text)
  })
})
