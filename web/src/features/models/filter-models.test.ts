import type { Hierarchy, HierarchyModel } from '@parley/contracts'
import { expect, it } from 'vitest'
import { filterModels } from './filter-models.ts'

const model = (id: string, name: string, modelType: 'text' | 'image' = 'text') =>
  ({ id, name, modelType }) as HierarchyModel
const hierarchy: Hierarchy = {
  providers: [
    {
      id: 'deepseek',
      name: 'DeepSeek',
      notice: 'Demo',
      groups: [{ name: 'Chat', models: [model('v3', 'DeepSeek v3')] }],
    },
    {
      id: 'openai',
      name: 'OpenAI',
      notice: null,
      groups: [
        { name: 'GPT', models: [model('gpt-5', 'GPT 5'), model('gpt-5-mini', 'GPT 5 mini')] },
        { name: 'Images', models: [model('image-1', 'Image 1', 'image')] },
      ],
    },
  ],
}
const idsFor = (query: string) => filterModels(hierarchy, query).map((group) => group.models.map(({ id }) => id))

it('gives all text models in their groups for an empty query', () => {
  expect(idsFor('')).toEqual([['v3'], ['gpt-5', 'gpt-5-mini']])
})

it('wants every word, in any order and case, of provider, group, name or id', () => {
  expect(idsFor('MINI openai')).toEqual([['gpt-5-mini']])
  expect(idsFor('deepseek mini')).toEqual([])
})
