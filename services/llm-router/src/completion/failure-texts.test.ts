import { locales } from '@parley/contracts'
import { errorBody } from '@parley/kit'
import { expect, it } from 'vitest'
import {
  filteredOut,
  makesNoImages,
  noImage,
  overloaded,
  readFailure,
  timedOut,
  toAppError,
  unconfigured,
} from './failure.ts'

const answered = (status: number) => readFailure(Object.assign(new Error('What the provider said'), { status }))
const failures = [
  ...[timedOut('first token'), unconfigured(), overloaded(), filteredOut(), makesNoImages(), noImage()],
  ...[401, 429, 500].map(answered),
]

it.each(locales.filter((locale) => locale !== 'en'))('a failure of a provider is reported in %s', (locale) => {
  for (const failure of failures) {
    const { error } = errorBody(toAppError(failure), 'request', locale)
    expect(error).not.toBe(failure.message)
  }
})
