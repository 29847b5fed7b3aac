import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import texts from '../../../../locales/en/deferred/chat.json' with { type: 'json' }
import { failureOfEnd, textOfServer } from './failure.ts'

/** Where the server has its sentences. */
const sources = ['llm-router/src/completion/failure.ts', 'chat/src/generation/run.ts', 'chat/src/generation/ending.ts']
const sentencesOf = (source: string): string[] =>
  [...source.matchAll(/'((?:Streaming|Response|Connection|The AI provider|No API key)[^']*)'/g)].map(
    ([, text = '']) => text,
  )

describe('a failure that the server says in English', () => {
  it('is said in the language of the interface, with the server’s sentence in English', () => {
    const all = sources.flatMap((path) =>
      sentencesOf(readFileSync(new URL(`../../../../../../services/${path}`, import.meta.url), 'utf8')),
    )
    // A provider's reason for an image is a part of another text.
    const ofAnswers = [...new Set(all)].filter((text) => !text.includes('image'))
    expect(ofAnswers).toHaveLength(8)
    for (const sentence of ofAnswers) {
      const text = textOfServer(sentence)
      expect(text, sentence).toMatchObject({ type: 'own' })
      if (text.type === 'own') expect((texts as Record<string, string>)[text.id]).toBe(sentence)
    }
  })

  it('stays the server’s own text if it is not one of those', () => {
    expect(textOfServer('constructor')).toEqual({ type: 'server', text: 'constructor' })
    const end = { type: 'error' as const, error: 'Quota of the team is used up', code: 'provider_error' }
    expect(failureOfEnd(end, true)).toMatchObject({ text: { type: 'server', text: end.error }, charge: 'text' })
  })
})
