import { expect, it } from 'vitest'
import { gapAfter, inSequence } from './in-sequence.ts'

it.each([
  [['Streaming was interrupted', 'No credits were charged.'], 'Streaming was interrupted. No credits were charged.'],
  [['It failed.', '', 'Try again.'], 'It failed. Try again.'],
  [
    ['ストリーミングが中断されました', '1クレジットを消費しました。'],
    'ストリーミングが中断されました。1クレジットを消費しました。',
  ],
  [['无法登录', '请稍后重试'], '无法登录。请稍后重试'],
  [['本当？', 'はい'], '本当？はい'],
  [['انقطع البث', 'لم تُخصم أي نقاط.'], 'انقطع البث. لم تُخصم أي نقاط.'],
  [['Only one'], 'Only one'],
])('%j are joined as sentences of their language', (texts, joined) => {
  expect(inSequence(...texts)).toBe(joined)
})

it('only languages that write with spaces have one between sentences', () => {
  expect(['It works.', 'Schwach.', '残りはありません。', '弱。', '本当？', 'لا شيء.'].map(gapAfter)).toEqual([
    ' ',
    ' ',
    '',
    '',
    '',
    ' ',
  ])
})
