import { expect, it } from 'vitest'
import { reachOf } from './changed.ts'

const tracked = ['services/chat/src/service.ts', 'services/chat/test/send.test.ts', 'services/auth/src/service.ts']

it('a changed module affects its importers, and is visible in a browser', () => {
  expect(reachOf(['services/chat/src/service.ts'], tracked)).toEqual({
    sources: ['services/chat/src/service.ts'],
    visible: true,
  })
})

it('a changed migration affects all code of its workspace', () => {
  expect(reachOf(['services/chat/migrations/0009_more.sql'], tracked).sources).toEqual([
    'services/chat/src/service.ts',
    'services/chat/test/send.test.ts',
  ])
})

it('a changed test is run and a changed text affects nothing; neither is visible in a browser', () => {
  expect(reachOf(['services/chat/test/send.test.ts', 'services/chat/README.md'], tracked)).toEqual({
    sources: ['services/chat/test/send.test.ts'],
    visible: false,
  })
})
