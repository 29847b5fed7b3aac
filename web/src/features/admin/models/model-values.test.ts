import type { Model } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { faultsOf, modelOf, moved, newModelValues, valuesOf } from './model-values.ts'

const model: Model = {
  ...modelOf({ ...newModelValues, id: 'deepseek/v3', name: 'V3', group: 'Chat', fallbackModels: ['a', 'b'] }),
  version: 3,
  usage: { totalRequests: 4, averageResponseMs: 20, lastUsed: null },
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
  updatedBy: null,
}

describe('the form of a model', () => {
  it('a model that is opened and saved unchanged does not change', () => {
    const { usage: _, createdAt: _1, updatedAt: _2, updatedBy: _3, version: _4, ...settings } = model
    expect(modelOf(valuesOf(model))).toEqual(settings)
    expect(faultsOf(valuesOf(model))).toEqual([])
  })

  it('prices are in dollars in the form and in micro-dollars on the server, and an empty field removes a price', () => {
    const priced = valuesOf({ ...model, inputPrice: 150_000, outputPrice: 2_500_001 })
    expect(priced).toMatchObject({ inputPrice: '0.15', outputPrice: '2.500001' })
    expect(modelOf({ ...priced, outputPrice: ' ' })).toMatchObject({ inputPrice: 150_000, outputPrice: null })
  })

  it('each field that the server would reject is reported', () => {
    const faults = faultsOf({
      ...newModelValues,
      id: '-x',
      contextLength: '0',
      maxTokens: '1.5',
      temperature: '3',
      creditsPerMessage: '',
      inputPrice: '-1',
      outputPrice: 'two',
    })
    expect(Object.fromEntries(faults)).toEqual({
      id: 'id',
      name: 'required',
      group: 'required',
      contextLength: 'number',
      maxTokens: 'number',
      creditsPerMessage: 'number',
      temperature: 'number',
      inputPrice: 'number',
      outputPrice: 'number',
    })
  })

  it('an entry of the fallback order moves within the list and not beyond its ends', () => {
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 2, -2)).toEqual(['c', 'a', 'b'])
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 2, 5)).toEqual(['a', 'b', 'c'])
  })
})
