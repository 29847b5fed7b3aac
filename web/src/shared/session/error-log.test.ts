import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { logError, readErrorLog } from './error-log.ts'

beforeEach(() => {
  givenStorage()
})
afterEach(() => vi.unstubAllGlobals())

it('the last ten errors are stored in the browser', () => {
  for (let nth = 1; nth <= 12; nth += 1) logError('page', new Error(`Number ${nth}`))
  const kept = JSON.parse(localStorage.getItem('errorLog') ?? '')
  expect(kept).toHaveLength(10)
  expect(readErrorLog().map(({ message }) => message)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Number ${index + 3}`),
  )
  expect(kept[9]).toMatchObject({ level: 'page', stack: expect.stringContaining('Number 12') })
})

it('a damaged error log is replaced', () => {
  localStorage.setItem('errorLog', '{"broken')
  logError('component', 'No error object')
  expect(readErrorLog()).toMatchObject([{ level: 'component', message: 'No error object' }])
})
