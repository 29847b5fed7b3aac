import { describe, expect, it } from 'vitest'
import { alikeOnes, fuse } from './fuse.ts'

describe('memories similar in meaning', () => {
  it('are sorted by similarity, up to the limit', () => {
    const similarities = new Map([
      ['some', 0.5],
      ['most', 0.6],
      ['least', 0.48],
    ])
    expect(alikeOnes(similarities, 10)).toEqual(['most', 'some', 'least'])
    expect(alikeOnes(similarities, 1)).toEqual(['most'])
  })

  it('exclude those below 0.3 or far behind the best', () => {
    expect(alikeOnes(new Map([['unrelated', 0.29]]), 10)).toEqual([])
    const ofAnotherModel = new Map([
      ['meant', 0.9],
      ['as any text', 0.66],
    ])
    expect(alikeOnes(ofAnotherModel, 10)).toEqual(['meant'])
    expect(alikeOnes(new Map(), 10)).toEqual([])
  })
})

describe('reciprocal rank fusion', () => {
  it('has each member once, those in both lists first, and keeps the order of a single list', () => {
    expect(fuse(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c'])
    expect(fuse(['a', 'b', 'c'], ['d', 'c'])).toEqual(['c', 'a', 'd', 'b'])
    expect(fuse(['a'], ['b'])).toEqual(['a', 'b'])
    expect(fuse()).toEqual([])
  })
})
