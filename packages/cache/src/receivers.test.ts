import { createLogger } from '@parley/kit'
import { expect, it } from 'vitest'
import { createReceivers } from './receivers.ts'

it('a subscriber that another one ends gets not even the signal under way, and one that fails affects no other', () => {
  const receivers = createReceivers(createLogger('test', 'silent'))
  const got: string[] = []
  receivers.add('caches-cleared', () => {
    got.push('first')
    end()
    throw new Error('It fails')
  })
  const end = receivers.add('caches-cleared', () => got.push('second'))
  receivers.add('caches-cleared', () => got.push('third'))
  receivers.deliver('caches-cleared', {})
  expect(got).toEqual(['first', 'third'])
})
