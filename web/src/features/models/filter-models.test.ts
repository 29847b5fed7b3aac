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

it('an empty query matches all text models, in their groups', () => {
  expect(idsFor('')).toEqual([['v3'], ['gpt-5', 'gpt-5-mini']])
})

it('a query matches models that contain all words in provider, group, name or id, in any order and case', () => {
  expect(idsFor('MINI openai')).toEqual([['gpt-5-mini']])
  expect(idsFor('gpt-5-m')).toEqual([['gpt-5-mini']])
  expect(idsFor('chat')).toEqual([['v3']])
  expect(idsFor('deepseek mini')).toEqual([])
})
