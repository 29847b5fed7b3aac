import { expect, it } from 'vitest'
import { bodyHash } from './send-request.ts'

it('sends with the same text and another file of the same name and length are different', () => {
  const sent = (base64: string) => ({
    ...{ message: 'Look', model: 'v3', clientMessageId: 'one' },
    attachments: [{ name: 'a.png', dataUrl: `data:image/png;base64,${base64}` }],
  })
  expect(bodyHash(sent('AAAA'))).not.toBe(bodyHash(sent('AAAB')))
  expect(bodyHash(sent('AAAA'))).toBe(bodyHash({ ...sent('AAAA'), clientMessageId: 'other', force: true }))
})
