import { expect, it } from 'vitest'
import { AppError, errorAnswer } from '../index.ts'

const at = (error: AppError, path = '/api/v1/chat/completions', headers = {}) =>
  errorAnswer(error, 'request', path, { 'accept-language': 'de', ...headers })
const field = (path: string) => ({ details: [{ path, message: 'Wrong' }] })

it.each([
  [new AppError('unauthenticated', 'No'), 'invalid_request_error', null, 'invalid_api_key'],
  [new AppError('insufficient_credits', 'No'), 'insufficient_quota', null, 'insufficient_quota'],
  [new AppError('account_banned', 'No'), 'invalid_request_error', null, 'account_banned'],
  [new AppError('not_found', 'No', field('model')), 'invalid_request_error', 'model', 'model_not_found'],
  [new AppError('not_found', 'No'), 'invalid_request_error', null, 'unknown_url'],
  [new AppError('not_found', 'No', field('id')), 'invalid_request_error', 'id', null],
  [new AppError('validation_failed', 'No', field('n')), 'invalid_request_error', 'n', 'invalid_request_error'],
  [new AppError('payload_too_large', 'No'), 'invalid_request_error', null, 'payload_too_large'],
  [new AppError('rate_limited', 'No'), 'requests', null, 'rate_limit_exceeded'],
  [new AppError('rate_limited', 'No', field('tokens')), 'tokens', null, 'rate_limit_exceeded'],
  [new AppError('provider_error', 'No'), 'server_error', null, 'provider_error'],
  [new AppError('unavailable', 'No'), 'server_error', null, 'unavailable'],
] as const)('the error %o has OpenAI’s format', (error, type, param, code) => {
  expect(at(error).body).toEqual({ error: { message: 'No', type, param, code } })
})

it.each([
  ['unauthenticated', 'authentication_error'],
  ['insufficient_credits', 'billing_error'],
  ['rate_limited', 'rate_limit_error'],
  ['not_found', 'not_found_error'],
  ['payload_too_large', 'request_too_large'],
  ['provider_timeout', 'timeout_error'],
  ['internal_error', 'api_error'],
] as const)('the error %s has Anthropic’s format for its clients', (code, type) => {
  const body = { type: 'error', error: { type, message: 'No' }, request_id: 'request' }
  const error = new AppError(code, 'No')
  for (const path of ['/api/v1/messages', '/api/v1/messages?beta=true', '/api/v1/messages/count_tokens']) {
    expect(at(error, path).body).toEqual(body)
  }
  // Its clients name its version at the models too.
  expect(at(error, '/api/v1/models/one', { 'anthropic-version': '2023-06-01' }).body).toEqual(body)
})

it('an error with several faults reports the first, with its place in the message if Anthropic’s format has no field for it', () => {
  const details = [
    { path: 'messages', message: 'Too small' },
    { path: 'max_tokens', message: 'Wrong' },
  ]
  const error = new AppError('validation_failed', 'Please correct the form errors', { details })
  expect(at(error).body).toMatchObject({ error: { message: 'Too small', param: 'messages' } })
  expect(at(error, '/api/v1/messages').body).toMatchObject({ error: { message: 'messages: Too small' } })
})

it('an error says when clients may retry, or that they should not', () => {
  const limited = new AppError('rate_limited', 'No', { headers: { 'retry-after': '7' } })
  expect(at(limited).headers).toEqual({ 'retry-after': '7', 'retry-after-ms': '7000' })
  for (const code of ['unauthenticated', 'insufficient_credits', 'conflict'] as const) {
    expect(at(new AppError(code, 'No')).headers).toEqual({ 'x-should-retry': 'false' })
  }
})

it('an error outside the API has the product’s format', () => {
  for (const path of ['/api/chat', '/api/v1x', '/v1/models']) {
    expect(at(new AppError('not_found', 'No'), path).body).toEqual({
      error: 'No',
      code: 'not_found',
      requestId: 'request',
    })
  }
})
