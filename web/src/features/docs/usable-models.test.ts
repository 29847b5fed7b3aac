import type { Hierarchy, HierarchyModel } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { exampleModels } from './usable-models.ts'

const model = (
  id: string,
  modelType: HierarchyModel['modelType'],
  more: Partial<HierarchyModel> = {},
): HierarchyModel => ({
  ...{ id, name: id, description: '', modelType, locked: false, creditsPerMessage: 1, contextLength: 1_000 },
  ...{ supportsThinking: false, supportsTools: false, supportsImageAttachments: false, supportsFileAttachments: false },
  ...more,
})
const hierarchyOf = (models: readonly HierarchyModel[], embeddingModels?: string[]): Hierarchy => ({
  providers: [{ id: 'openai', name: 'OpenAI', notice: null, groups: [{ name: 'All', models: [...models] }] }],
  ...(embeddingModels && { embeddingModels }),
})
const both = [model('dear', 'text', { creditsPerMessage: 9 }), model('cheap', 'text'), model('painter', 'image')]

describe('the models of the examples', () => {
  it('are the cheapest usable ones of the registry', () => {
    const { values, lacking } = exampleModels(hierarchyOf(both, ['vectors', 'dear-vectors']))
    expect(values).toEqual({ textModel: 'cheap', imageModel: 'painter', embeddingModel: 'vectors' })
    expect([...lacking]).toEqual([])
  })

  it('are lacking for embeddings and images where the registry has none that can be used', () => {
    const locked = [model('cheap', 'text'), model('painter', 'image', { locked: true })]
    expect([...exampleModels(hierarchyOf(locked, [])).lacking]).toEqual(['images', 'embeddings'])
    expect([...exampleModels(hierarchyOf(both, [])).lacking]).toEqual(['embeddings'])
  })

  it('are usual ones while the registry, or what it has for embeddings, is not known', () => {
    const unknown = exampleModels(undefined)
    expect(unknown.values).toEqual({
      ...{ textModel: 'v3', imageModel: 'gpt-image-2', embeddingModel: 'text-embedding-3-small' },
    })
    expect(unknown.lacking.size).toBe(0)
    const older = exampleModels(hierarchyOf(both))
    expect([older.values.embeddingModel, older.lacking.size]).toEqual(['text-embedding-3-small', 0])
  })
})
