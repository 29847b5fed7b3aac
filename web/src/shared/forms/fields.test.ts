import { expect, it } from 'vitest'
import { safeParse } from 'zod/mini'
import type { Translate } from '../i18n/index.ts'
import { emailField } from './fields.ts'

it.each(['nowhere', `${'x'.repeat(250)}@parley.test`])(
  'the email address %j is refused in the words of the product',
  (given) => {
    const { error } = safeParse(emailField(((id: string) => id) as unknown as Translate), given)
    expect(new Set(error?.issues.map(({ message }) => message))).toEqual(new Set(['auth.invalid.email']))
  },
)
