import type { HierarchyModel } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { type ChoiceInput, chooseImageModel, chooseModel, modelsOf, parseStoredModel } from './choose-model.ts'

const model = (id: string, locked = false): HierarchyModel => ({
  id,
  name: id.toUpperCase(),
  description: '',
  modelType: 'text',
  locked,
  creditsPerMessage: 1,
  contextLength: 1000,
  supportsThinking: false,
  supportsTools: false,
  supportsImageAttachments: false,
  supportsFileAttachments: false,
})
const choose = (input: Partial<ChoiceInput>) =>
  chooseModel({
    models: [model('a'), model('b'), model('v3')],
    selected: null,
    preferred: null,
    guest: false,
    hadNone: false,
    ...input,
  })

describe('chooseModel', () => {
  it('keeps the selected model while it is usable', () => {
    expect(choose({ selected: 'b', preferred: 'a' })).toEqual({ id: 'b', notice: null })
  })

  it('selects v3 for guests, whatever was selected', () => {
    expect(choose({ guest: true, selected: 'a' })).toEqual({ id: 'v3', notice: null })
  })

  it('selects no model for guests if v3 is locked', () => {
    expect(choose({ guest: true, models: [model('a'), model('v3', true)] }).id).toBeNull()
  })

  it('replaces a selected model that was locked, and reports it', () => {
    const models = [model('a', true), model('b'), model('c')]
    expect(choose({ models, selected: 'a' })).toEqual({ id: 'b', notice: { type: 'disabled', id: 'a' } })
  })

  it('replaces a selected model that was deleted', () => {
    expect(choose({ selected: 'gone' })).toEqual({ id: 'a', notice: { type: 'disabled', id: 'gone' } })
  })

  it('starts with v3 without a preference, so that a guest who signs in keeps the model', () => {
    expect(choose({})).toEqual({ id: 'v3', notice: null })
    expect(choose({ models: [model('a'), model('v3', true)] })).toEqual({ id: 'a', notice: null })
  })

  it('starts with the preferred model', () => {
    expect(choose({ preferred: 'b' })).toEqual({ id: 'b', notice: null })
  })

  it('replaces a locked preferred model, naming both', () => {
    const models = [model('a', true), model('b')]
    expect(choose({ models, preferred: 'a' })).toEqual({
      id: 'b',
      notice: { type: 'preferred-locked', id: 'a', model: 'B' },
    })
  })

  it('silently replaces a preferred model that does not exist', () => {
    expect(choose({ preferred: 'gone' })).toEqual({ id: 'a', notice: null })
  })

  it('reports once that no model is usable any more, and when one is again', () => {
    const locked = [model('a', true)]
    expect(choose({ models: locked, selected: 'a' })).toEqual({ id: null, notice: { type: 'disabled', id: 'a' } })
    expect(choose({ models: locked, selected: 'a', hadNone: true })).toEqual({ id: null, notice: null })
    expect(choose({ hadNone: true, selected: 'b' })).toEqual({ id: 'b', notice: { type: 'available' } })
    expect(choose({ hadNone: true, selected: 'gone' })).toEqual({ id: 'a', notice: { type: 'available' } })
  })
})

describe('modelsOf', () => {
  it('separates text models from image models and keeps their order', () => {
    const image = { ...model('picture'), modelType: 'image' as const }
    const groups = [
      { name: 'g', models: [model('a'), image] },
      { name: 'h', models: [model('b')] },
    ]
    const hierarchy = { providers: [{ id: 'openai' as const, name: 'OpenAI', notice: null, groups }] }
    expect(modelsOf(hierarchy, 'text').map(({ id }) => id)).toEqual(['a', 'b'])
    expect(modelsOf(hierarchy, 'image').map(({ id }) => id)).toEqual(['picture'])
  })
})

it('the image model is the first usable one of the preferences, or else any', () => {
  const models = [model('a', true), model('b'), model('c')]
  expect(chooseImageModel(models, ['a', 'c'])?.id).toBe('c')
  expect(chooseImageModel(models, [null, 'gone'])?.id).toBe('b')
  expect(chooseImageModel([model('a', true)], ['a'])).toBeNull()
})

it.each([
  ['v3', 'v3'],
  ['openai/gpt-5:free', 'openai/gpt-5:free'],
  ['{"broken', null],
  ['', null],
  [null, null],
])('the stored choice %s is read as %s', (raw, id) => {
  expect(parseStoredModel(raw)).toBe(id)
})
