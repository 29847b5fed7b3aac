import { expect, it } from 'vitest'
import { offeredAs } from './file-name.ts'

it.each([
  ['Plain title', `attachment; filename="Plain title.md"; filename*=UTF-8''Plain%20title.md`],
  ['../../etc/passwd', `attachment; filename="etc passwd.md"; filename*=UTF-8''etc%20passwd.md`],
  [
    'a"; filename=x\r\nSet-Cookie: b',
    `attachment; filename="a ; filename=x Set-Cookie b.md"; filename*=UTF-8''a%20%3B%20filename%3Dx%20Set-Cookie%20b.md`,
  ],
  ["it's (ü)", `attachment; filename="it's (_).md"; filename*=UTF-8''it%27s%20%28%C3%BC%29.md`],
  ['\u202e..', `attachment; filename="chat.md"; filename*=UTF-8''chat.md`],
  ['\ud83d', `attachment; filename="_.md"; filename*=UTF-8''%EF%BF%BD.md`],
])('a chat titled %j is exported under a safe name', (title, header) => {
  expect(offeredAs(title, 'md')).toBe(header)
})
