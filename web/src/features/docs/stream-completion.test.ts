import { expect, it } from 'vitest'
import { piecesOf } from './stream-completion.ts'

it('reads text, cost and errors of a stream, and ignores its end marker', () => {
  expect(piecesOf('{"choices":[{"delta":{"role":"assistant","content":""}}]}', 0)).toEqual([])
  expect(piecesOf('{"choices":[{"delta":{"content":"Hé"}}],"usage":null}', 0)).toEqual([{ type: 'text', text: 'Hé' }])
  const figures = '{"choices":[],"usage":{"total_tokens":9},"credits":{"charged":1,"remaining":99}}'
  expect(piecesOf(figures, 0)).toEqual([{ type: 'cost', charged: 1, remaining: 99, tokens: 9 }])
  const refused = { type: 'refused', status: 401, message: 'No such key' }
  expect(piecesOf('{"error":{"message":"No such key","code":"invalid_api_key"}}', 401)).toEqual([refused])
  for (const data of ['[DONE]', '<html>', '{}']) expect(piecesOf(data, 502)).toEqual([])
})
