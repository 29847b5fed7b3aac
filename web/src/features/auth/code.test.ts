import { describe, expect, it } from 'vitest'
import { enterDigits, eraseDigit, isOfCode } from './code.ts'
import { parsePending } from './pending.ts'

const empty = ['', '', '', '', '', '']

describe('the six code boxes', () => {
  it('accept a digit and move on', () => {
    expect(enterDigits(empty, 0, '4')).toEqual({ boxes: ['4', '', '', '', '', ''], next: 1 })
    expect(enterDigits(['1', '2', '3', '4', '5', ''], 5, '6')).toEqual({
      boxes: ['1', '2', '3', '4', '5', '6'],
      next: 5,
    })
  })

  it('are filled by pasting a code, whatever its format and the box it is pasted into', () => {
    for (const text of ['123456', ' 123 456 ', '123-456', '１２３４５６', 'Your code: 123456']) {
      expect(enterDigits(['9', '', '', '', '', ''], 3, text).boxes.join('')).toBe('123456')
    }
  })

  it('accept only digits, and a shorter paste from the box on', () => {
    expect(enterDigits(empty, 2, '12')).toEqual({ boxes: ['', '', '1', '2', '', ''], next: 4 })
    expect(enterDigits(empty, 2, 'x')).toEqual({ boxes: empty, next: 2 })
  })

  it('erase the present box, or else the one before', () => {
    expect(eraseDigit(['1', '2', '', '', '', ''], 1)).toEqual({ boxes: ['1', '', '', '', '', ''], next: 1 })
    expect(eraseDigit(['1', '2', '', '', '', ''], 2)).toEqual({ boxes: ['1', '', '', '', '', ''], next: 1 })
    expect(eraseDigit(empty, 0)).toEqual({ boxes: empty, next: 0 })
  })
})

describe('a stored verification', () => {
  it.each([null, '', '{', '3', 'null', '{"username":1,"sentAt":2}', '{"username":"a"}'])('ignores %j', (raw) => {
    expect(parsePending(raw)).toBeNull()
  })

  it('keeps the user name and the time', () => {
    expect(parsePending('{"username":"ada","sentAt":5,"email":"a@b.c"}')).toEqual({
      username: 'ada',
      email: null,
      sentAt: 5,
    })
  })
})

it('a code counts as wrong only if the server says so, not if the server is unreachable, busy or broken', () => {
  expect([400, 401, 403, 404, 410, 422].every(isOfCode)).toBe(true)
  expect([0, 408, 429, 500, 502, 503].some(isOfCode)).toBe(false)
})
