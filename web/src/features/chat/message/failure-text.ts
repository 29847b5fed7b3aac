import { type MessageId, type Translate, useLaterTexts, useText } from '../../../shared/i18n/index.ts'
import type { Failure } from '../thread/state/failure.ts'

/** Sentences with which the server ends an answer. They are stored with it and read by everybody who follows it, so they are in English there. */
const sentences: Readonly<Record<string, MessageId>> = {
  'Response timeout. The AI model took too long to respond.': 'chat.failure.timeout',
  'Connection lost during streaming. The answer may be incomplete.': 'chat.failure.incomplete',
  'The AI provider couldn’t answer. Please try again.': 'chat.failure.provider.broken',
  'The AI provider is overloaded. Please try again in a moment.': 'chat.failure.provider.busy',
  'The AI provider didn’t accept this server’s credentials. Please choose another model.':
    'chat.failure.provider.credentials',
  'The AI provider refused this request. Please choose another model or shorten the chat.':
    'chat.failure.provider.refused',
  'No API key is configured for this AI provider. Please choose another model.': 'chat.failure.provider.unconfigured',
  'This AI provider doesn’t create images. Please choose another model.': 'chat.failure.provider.noImages',
  'The AI provider didn’t return an image. Please try again, or describe it differently.':
    'chat.failure.provider.noImage',
}

const sentenceOf = ({ text }: Failure): string => (text.type === 'server' ? text.text : (text.values?.reason ?? ''))

const idOf = (sentence: string): MessageId | null =>
  Object.hasOwn(sentences, sentence) ? (sentences[sentence] ?? null) : null

/** The text of a failure: the server's own, in the language of the interface if it is known and its texts are loaded, or ours. */
export function failureText(t: Translate, failure: Failure, isLoaded: boolean): string {
  const sentence = sentenceOf(failure)
  const id = idOf(sentence)
  const said = id !== null && isLoaded ? t(id) : sentence
  const { text } = failure
  return text.type === 'server' ? said : t(text.id, text.values && { reason: said })
}

/** {@link failureText}, whose texts are loaded when it is one of the server's sentences. */
export function useFailureText(failure: Failure): string {
  const { t } = useText()
  const isLoaded = useLaterTexts(idOf(sentenceOf(failure)) && 'panels')
  return failureText(t, failure, isLoaded)
}

/** Whether a failed answer was charged; `credits` is the amount if known. */
export function chargeText(t: Translate, { charge }: Failure, credits: number | null, guest: boolean): string {
  if (charge === 'none') return t(guest ? 'chat.failure.charge.guestNone' : 'chat.failure.charge.none')
  if (guest) return ''
  return credits === null ? t('chat.failure.charge.text') : t('chat.failure.charge.credits', { count: credits })
}
