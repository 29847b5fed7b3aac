import { expect, it } from 'vitest'
import { readResetLink } from './reset-link.ts'

it.each([
  ['?token=t-1_x&email=ada%2Bx%40example.com', { token: 't-1_x', email: 'ada+x@example.com' }],
  ['', null],
  ['?utm=1', null],
  ['?token=t', 'damaged'],
  ['?email=a%40b.c', 'damaged'],
  ['?token=%20&email=a%40b.c', 'damaged'],
  ['?token=&email=', 'damaged'],
] as const)('reads the link of %j', (search, link) => {
  expect(readResetLink(search)).toEqual(link)
})
