import { expect, it } from 'vitest'
import texts from '../../../locales/en/admin/admin.json' with { type: 'json' }
import { ApiError } from '../../../shared/api/error.ts'
import type { Translate } from '../../../shared/i18n/index.ts'
import { failureText } from './failure-text.ts'

const t: Translate = (id, values = {}) =>
  texts[id as keyof typeof texts].replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

it('an admin’s action that fails because the session has ended asks to log in again', () => {
  const ended = new ApiError({ status: 401, code: 'unauthenticated', message: 'Unauthorized' })
  expect(failureText(ended, 'Failed to set default plan', t)).toBe('Authentication failed, log in again')
})

it('an admin’s action that fails otherwise is named, followed by the server’s message', () => {
  const failed = new ApiError({ status: 503, code: 'unavailable', message: 'Out of service' })
  expect(failureText(failed, 'Failed to update user', t)).toBe('Failed to update user: Out of service')
})
