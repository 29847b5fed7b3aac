import { describe, expect, it } from 'vitest'
import { estimateStrength } from './estimate.ts'

describe('the strength of a password', () => {
  it.each([
    ['password', 'common'],
    ['qwertyuiop', 'common'],
    ['zxcftyhn', 'keyboard'],
    ['zzzzzzzz', 'repeat'],
    ['14.03.1987', 'date'],
  ])('is low for %s, with the advice: %s', (password, advice) => {
    const strength = estimateStrength(password, [])
    expect(strength.score).toBeLessThanOrEqual(2)
    expect(strength.advice).toBe(advice)
  })

  it('is full for uncommon combinations of words, without advice', () => {
    expect(estimateStrength('turnip lantern gravel oboe', [])).toEqual({ score: 4, advice: null })
  })

  it('is lower for names of the user, parts of their address and the product’s name', () => {
    const scoreOf = (password: string, context: string[] = []) => estimateStrength(password, context).score
    expect(scoreOf('wendelgard42')).toBeGreaterThan(scoreOf('wendelgard42', ['wendelgard42']))
    expect(scoreOf('xqvorliz77')).toBeGreaterThan(scoreOf('xqvorliz77', ['someone@xqvorliz.example']))
    expect(estimateStrength('parley', []).advice).toBe('personal')
  })

  it('is computed for an input of the maximum length', () => {
    expect(estimateStrength('aB3$'.repeat(64), []).score).toBeLessThan(4)
    expect(estimateStrength('', []).score).toBe(0)
  })
})
