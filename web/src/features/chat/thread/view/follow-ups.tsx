import { useQuery } from '@tanstack/react-query'
import { endpoints, request, toolsQuery } from '../../../../shared/api/index.ts'
import { useText } from '../../../../shared/i18n/index.ts'
import { useReading } from '../../../../shared/preferences/index.ts'
import type { ThreadMessage } from '../state/thread-message.ts'

/** Milliseconds for which an answer is new: suggestions for older ones are of no use. */
const newForMs = 10 * 60 * 1000

interface Props {
  readonly chatId: string
  readonly answer: ThreadMessage
  readonly onPick: (text: string) => void
}

/** Suggested follow-up questions below the last answer. */
export function FollowUps({ chatId, answer, onPick }: Props) {
  const { t } = useText()
  const wanted = useReading(({ followUps }) => followUps)
  const { data: tools } = useQuery({ ...toolsQuery, enabled: wanted })
  const messageId = answer.id ?? ''
  const isNew = answer.state === 'complete' && Date.now() - answer.createdAt < newForMs
  const { data } = useQuery({
    // A continued answer is longer, and gets suggestions of its own.
    queryKey: ['follow-ups', messageId, isNew && answer.content.length],
    queryFn: ({ signal }) =>
      request(endpoints.followUps, { params: { id: chatId }, body: { messageId }, signal, timeoutMs: 40_000 }),
    enabled: wanted && tools?.followUps === true && isNew && messageId !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const suggestions = wanted ? (data?.suggestions ?? []) : []
  if (suggestions.length === 0) return null
  return (
    <ul aria-label={t('chat.thread.followUps')} className="mx-auto flex max-w-measure flex-wrap gap-2 pt-1 pb-3">
      {suggestions.map((text) => (
        <li key={text}>
          <button
            type="button"
            dir="auto"
            onClick={() => onPick(text)}
            className="target rounded-full border border-line px-3 py-1.5 text-start text-ink-2 text-sm hover:bg-hover hover:text-ink"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
