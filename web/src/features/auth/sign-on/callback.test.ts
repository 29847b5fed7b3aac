import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../shared/api/error.ts'
import { createOnce, failureText, readCallback } from './callback.ts'

describe('the callback of single sign-on', () => {
  it('passes code and state to the server unchanged', () => {
    expect(readCallback('?code=a%2Bb&state=s&iss=https%3A%2F%2Fid.test')).toEqual({
      type: 'finish',
      body: { code: 'a+b', state: 's', iss: 'https://id.test' },
    })
    expect(readCallback('?code=c&state=s')).toEqual({ type: 'finish', body: { code: 'c', state: 's' } })
  })

  it.each([
    ['', 'noCode'],
    ['?', 'noCode'],
    ['?state=s', 'noCode'],
    ['?code=&state=s', 'noCode'],
    ['?code=c', 'noState'],
    ['?code=c&state=', 'noState'],
    ['?error=access_denied&state=s', 'denied'],
    ['?error=server_error&error_description=Call+us&code=c&state=s', 'unexpected'],
    ['?error=', 'unexpected'],
  ])('fails for %j: %s', (search, text) => {
    expect(readCallback(search)).toEqual({ type: 'failed', text: `auth.callback.${text}` })
  })
})

it('describes a refusal without a message by its status', () => {
  expect(failureText(new ApiError({ status: 401, code: 'unauthenticated' }))).toBe('auth.callback.exchange')
  expect(failureText(new ApiError({ status: 503, code: 'unavailable' }))).toBe('auth.callback.exchange')
  expect(failureText(new ApiError({ status: 0, code: 'network' }))).toBe('auth.callback.unexpected')
  expect(failureText(new TypeError('x'))).toBe('auth.callback.unexpected')
})

it('runs once per code, even if it fails', async () => {
  const once = createOnce<string>()
  let runs = 0
  const work = async () => {
    runs += 1
    throw new Error('refused')
  }
  await expect(Promise.allSettled([once('a', work), once('a', work)])).resolves.toHaveLength(2)
  await expect(once('a', work)).rejects.toThrow('refused')
  expect(runs).toBe(1)

  const [first, second] = [once('b', async () => 'in'), once('b', async () => 'in twice')]
  expect(await Promise.all([first, second])).toEqual(['in', 'in'])
  expect(await once('b', async () => 'nothing is kept of it')).toBe('nothing is kept of it')
})
