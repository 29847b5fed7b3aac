import { useQuery } from '@tanstack/react-query'
import { creditsQuery, endpoints, guestInfoQuery, request } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { numberFormat } from '../../shared/intl.ts'
import { useSession } from '../../shared/session/index.ts'
import { averageOf, type Facts, type Line, mergeFacts, type Section } from './facts.ts'

export interface InfoInput {
  readonly facts: Facts
  /** Names of the selected models; null if none is usable. */
  readonly textModel: string | null
  readonly imageModel: string | null
}

/** The panel's sections, with the server's counts once loaded; `failed` if that fails. */
export function useSections({ facts: shown, textModel, imageModel }: InfoInput): {
  sections: readonly Section[]
  failed: boolean
} {
  const { t, locale } = useText()
  const session = useSessionLines()
  const id = shown.chatId
  const { data, isError } = useQuery({
    queryKey: ['chat-info', id, shown.messages.total],
    queryFn: ({ signal }) => request(endpoints.info, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
  })
  const facts = mergeFacts(shown, data)
  const number = numberFormat(locale, { maximumFractionDigits: 1 })
  const line = (label: string, value: number): Line => ({ label, value: number.format(value) })
  const none = t('info.none')
  return {
    failed: isError,
    sections: [
      {
        title: t('info.statistics'),
        lines: [
          line(t('info.messages.total'), facts.messages.total),
          line(t('info.messages.user'), facts.messages.user),
          line(t('info.messages.assistant'), facts.messages.assistant),
          line(t('info.messages.average'), averageOf(facts)),
        ],
      },
      {
        title: t('info.tokens'),
        lines: [
          line(t('info.tokens.input'), facts.tokens.input),
          line(t('info.tokens.output'), facts.tokens.output),
          line(t('info.tokens.total'), facts.tokens.total),
          {
            label: t('info.tokens.count'),
            value: t(facts.tokensAccurate ? 'info.tokens.accurate' : 'info.tokens.estimated'),
          },
        ],
      },
      {
        title: t('info.session'),
        lines: [
          { label: t('info.session.chat'), value: id ?? none },
          { label: t('info.session.textModel'), value: textModel ?? none },
          { label: t('info.session.imageModel'), value: imageModel ?? none },
          ...session,
        ],
      },
    ],
  }
}

function useSessionLines(): Line[] {
  const { t, locale } = useText()
  const user = useSession((state) => state.user)
  const { data: allowance } = useQuery({ ...guestInfoQuery, enabled: user === null })
  const { data: credits } = useQuery({ ...creditsQuery, enabled: user !== null })
  const none = t('info.none')
  const count = (value: number | undefined): string => (value === undefined ? none : numberFormat(locale).format(value))
  const thinking = user?.preferences.showThinking ?? true
  const left = credits?.unlimited ? t('credits.meter.unlimited') : count(credits?.remaining)
  return [
    { label: t('info.session.mode'), value: t(user ? 'info.mode.user' : 'info.mode.guest') },
    user
      ? { label: t('info.session.credits'), value: left }
      : { label: t('info.session.remaining'), value: count(allowance?.remainingMessages) },
    { label: t('info.session.username'), value: user?.username ?? none },
    { label: t('info.session.verified'), value: t(user?.emailVerified ? 'info.yes' : 'info.no') },
    { label: t('info.session.thinking'), value: t(thinking ? 'info.on' : 'info.off') },
  ]
}
