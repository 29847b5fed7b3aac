import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shownIn } from '../../../vite/shown-texts.ts'

const isShown = shownIn(join(import.meta.dirname, '../../share.ts'))

it.each([
  'share.weeks',
  'share.failure.invalid',
  'chat.code.copy',
  'chat.diagram.enlarge',
  'shared.error.app',
  'shared.password.show',
])('the page of a shared chat includes the text %s', (id) => {
  expect(isShown(id)).toBe(true)
})

it.each(['auth.login.title', 'chat.empty.title', 'account.menu', 'shared.strength.weak'])(
  'the page of a shared chat omits the text %s',
  (id) => {
    expect(isShown(id)).toBe(false)
  },
)
