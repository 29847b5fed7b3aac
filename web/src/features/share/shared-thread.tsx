import type { SharedMessage } from '@parley/contracts'
import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { PlainParts } from '../../shared/markdown/plain-parts.tsx'
import { AnswerText } from '../../shared/message/answer-text.tsx'

interface Props {
  readonly messages: readonly SharedMessage[]
  /** How many of the first messages keep their layout when out of view: those that the server rendered. */
  readonly steady?: number
  /** Renders all of every answer, for printing. */
  readonly whole?: boolean
  /** Renders an image; by default from its address. */
  readonly image?: (image: NonNullable<SharedMessage['images']>[number], label: string) => ReactNode
  /** Rendered beside a message. */
  readonly aside?: (nth: number) => ReactNode
}

/** The messages of a shared chat, rendered alike for its owner and for visitors. Layout is skipped for messages out of view. */
export function SharedThread({ messages, steady = 0, whole = false, image = drawImage, aside }: Props) {
  const { t } = useText()
  return (
    <ol aria-label={t('share.thread')} className="flex flex-col gap-7">
      {messages.map((message, nth) => (
        <li
          key={placeKey(nth)}
          className={
            nth < steady
              ? undefined
              : '[contain-intrinsic-size:auto_12rem] [content-visibility:auto] print:[content-visibility:visible]'
          }
        >
          <article>
            {aside?.(nth)}
            <h2 className="sr-only">{t(message.role === 'user' ? 'share.user' : 'share.assistant')}</h2>
            {message.role === 'user' ? (
              <div className="ms-auto w-fit max-w-[88%] rounded-[16px] rounded-ee-[4px] bg-bubble px-4 py-2.5 md:max-w-[80%] forced-colors:border print:border print:border-line">
                <PlainParts text={message.content} />
              </div>
            ) : (
              <>
                {message.images?.map((each) => (
                  <div key={each.url} className="mb-3">
                    {image(each, t('share.image'))}
                  </div>
                ))}
                {message.content !== '' && <AnswerText text={message.content} growing={false} whole={whole} />}
              </>
            )}
          </article>
        </li>
      ))}
    </ol>
  )
}

/** Messages of a snapshot have no ids, and never change their order. */
const placeKey = (nth: number): number => nth

const drawImage: NonNullable<Props['image']> = ({ url, width, height }, label) => (
  <img
    src={url}
    alt={label}
    width={width}
    height={height}
    loading="lazy"
    className="h-auto max-h-[70dvh] w-auto max-w-full rounded-card border border-line"
  />
)
