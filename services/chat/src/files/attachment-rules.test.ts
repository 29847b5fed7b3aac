import { expect, it } from 'vitest'
import { maxFileBytes, maxPromptFileBytes, refuseTooLarge, refuseTooMuch } from './attachment-rules.ts'

const dataUrl = (bytes: number) => `data:application/pdf;base64,${Buffer.alloc(bytes).toString('base64')}`

it('files sent in a message may have exactly the bytes of the limit, each and together', () => {
  const file = (bytes: number) => ({ dataUrl: dataUrl(bytes), name: 'plan.pdf' })
  refuseTooMuch([file(maxFileBytes)])
  refuseTooMuch([file(maxFileBytes - 4), file(4)])
  expect(() => refuseTooMuch([file(maxFileBytes + 1)])).toThrow('plan.pdf')
  expect(() => refuseTooMuch([file(maxFileBytes - 4), file(5)])).toThrow()
})

it('files of a message that were uploaded before have a limit together, too', () => {
  refuseTooLarge([{ size: maxFileBytes }, { size: maxPromptFileBytes - maxFileBytes }])
  expect(() => refuseTooLarge(Array(5).fill({ size: maxFileBytes }))).toThrow('more than 40 MB')
})
