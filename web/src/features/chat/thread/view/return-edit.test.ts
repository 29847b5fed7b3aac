import { expect, it } from 'vitest'
import { message } from '../../../../testing/given-session.ts'
import { fromServer } from '../state/thread-message.ts'
import { emptyThread, type ThreadState } from '../state/thread-state.ts'
import { returnEdit } from './return-edit.ts'

const question = fromServer(message({ id: 'u1', content: 'First wording' }))
const replaced = fromServer(message({ id: 'u2', content: 'Wording of another tab' }))

const edited = (text: string): ThreadState => ({
  ...emptyThread('c1'),
  messages: [question],
  editing: { key: question.key, text },
})
const replacedBy = (state: ThreadState): ThreadState => returnEdit({ ...state, messages: [replaced] }, state)

it('an edit goes on while its question is shown, whatever else changes', () => {
  const before = edited('Second wording')
  const state = { ...before, messages: [...before.messages, replaced] }
  expect(returnEdit(state, before)).toBe(state)
})

it('an edit whose question another tab has replaced returns to the composer, with its files and modes', () => {
  const { attachments, modes } = question
  const returned = { text: 'Second wording', attachments, modes }
  expect(replacedBy(edited('Second wording'))).toMatchObject({ editing: null, returned })
})

it.each(['First wording', ' \n'])('an edit that changed nothing, or left nothing, only ends: %j', (text) => {
  expect(replacedBy(edited(text))).toMatchObject({ editing: null, returned: null })
})
