import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/error.ts'
import { setApiLanguage } from '../api/language.ts'
import { placeErrors } from './server-errors.ts'

const options = {
  fields: ['username', 'email', 'password'] as const,
  byCode: { username_taken: 'username' } as const,
  fallback: 'Failed to register',
}

describe('an error of the server', () => {
  it('is shown at the fields in its details, in the order of the form', () => {
    const error = new ApiError({
      status: 400,
      code: 'validation_failed',
      message: 'Please correct the form errors',
      details: [
        { path: 'password', message: 'Too common' },
        { path: 'username', message: 'Too short' },
      ],
    })
    expect(placeErrors(error, options)).toEqual([
      { field: 'username', message: 'Too short' },
      { field: 'password', message: 'Too common' },
    ])
  })

  it('gives way to a text in the new language, at the same field, once the language has been changed', () => {
    setApiLanguage('en')
    const details = [{ path: 'password', message: 'Too common' }]
    const error = new ApiError({ status: 400, code: 'validation_failed', message: 'Too common', details })
    const texts = { ...options, fallback: 'Registrierung fehlgeschlagen', check: 'Bitte prüfe dieses Feld' }
    expect(placeErrors(error, texts)).toEqual([{ field: 'password', message: 'Too common' }])
    setApiLanguage('de')
    expect(placeErrors(error, texts)).toEqual([{ field: 'password', message: 'Bitte prüfe dieses Feld' }])
    setApiLanguage('en')
    expect(placeErrors(error, texts)).toEqual([{ field: 'password', message: 'Too common' }])
  })

  it('is shown at the field of its code, or else as a message of the form', () => {
    const taken = new ApiError({ status: 409, code: 'username_taken', message: 'Taken' })
    expect(placeErrors(taken, options)).toEqual([{ field: 'username', message: 'Taken' }])
    const limited = new ApiError({ status: 429, code: 'rate_limited', message: 'Slow down' })
    expect(placeErrors(limited, options)).toEqual([{ field: 'root', message: 'Slow down' }])
  })

  it('has a fallback text if the server sent no message', () => {
    expect(placeErrors(new ApiError({ status: 0, code: 'network' }), options)).toEqual([
      { field: 'root', message: 'Failed to register' },
    ])
    const unreachable = 'Try again in a moment.'
    expect(placeErrors(new ApiError({ status: 0, code: 'timeout' }), { ...options, unreachable })).toEqual([
      { field: 'root', message: 'Failed to register. Try again in a moment.' },
    ])
    expect(placeErrors(new ApiError({ status: 502, code: 'unexpected' }), { ...options, unreachable })).toEqual([
      { field: 'root', message: 'Failed to register' },
    ])
    const full = { ...options, fallback: 'Login failed. Please try again.', unreachable }
    expect(placeErrors(new ApiError({ status: 0, code: 'network' }), full)).toEqual([
      { field: 'root', message: 'Login failed. Please try again. Try again in a moment.' },
    ])
    const inJapanese = { ...options, fallback: 'ログインできませんでした', unreachable: 'サーバーに接続できません。' }
    expect(placeErrors(new ApiError({ status: 0, code: 'network' }), inJapanese)).toEqual([
      { field: 'root', message: 'ログインできませんでした。サーバーに接続できません。' },
    ])
    expect(placeErrors(new TypeError('x'), options)).toEqual([{ field: 'root', message: 'Failed to register' }])
  })

  it('has another text if the server is unreachable or fails and the form has one', () => {
    const both = { ...options, unavailable: 'Registration failed.' }
    const said = (status: number, message = '') =>
      placeErrors(new ApiError({ status, code: 'unexpected', message }), both).map(({ message: text }) => text)
    expect([0, 500, 502].flatMap((status) => said(status))).toEqual(Array(3).fill('Registration failed.'))
    expect([400, 404].flatMap((status) => said(status))).toEqual(Array(2).fill('Failed to register'))
    expect(said(503, 'Back at noon')).toEqual(['Back at noon'])
  })
})
