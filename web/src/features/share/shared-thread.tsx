import type { SharedMessage } from '@parley/contracts'
import { type ReactNode, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { createHighlighter } from '../../shared/markdown/highlight.ts'
import { HighlighterContext } from '../../shared/markdown/highlighter-context.ts'
import { PlainParts } from '../../shared/markdown/plain-parts.tsx'
import { AnswerText } from '../../shared/message/answer-text.tsx'

interface Props {
  readonly messages: readonly SharedMessage[]
  /** Draw all of every answer, as paper wants it. */
  readonly whole?: boolean
  /** Draws an image; by its address unless told. */
  readonly image?: (image: NonNullable<SharedMessage['images']>[number], label: string) => ReactNode
  /** Stands beside a message. */
  readonly aside?: (nth: number) => ReactNode
}

/** The messages of a shared chat, drawn for its owner as for strangers. What is out of sight costs nothing to lay out. */
export function SharedThread({ messages, whole = false, image = drawImage, aside }: Props) {
  const { t } = useText()
  const [highlighter] = useState(createHighlighter)
  return (
    <HighlighterContext value={highlighter}>
      <ol aria-label={t('share.thread')} className="flex flex-col gap-7">
        {messages.map((message, nth) => (
          <li
            key={placeKey(nth)}
            className="[contain-intrinsic-size:auto_12rem] [content-visibility:auto] print:[content-visibility:visible]"
          >
            <article>
              {aside?.(nth)}
              <h2 className="sr-only">{t(message.role === 'user' ? 'share.user' : 'share.assistant')}</h2>
              {message.role === 'user' ? (
                <div className="ms-auto w-fit max-w-[88%] rounded-[16px] rounded-ee-[4px] bg-bubble px-4 py-2.5 md:max-w-[80%] print:border print:border-line">
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
    </HighlighterContext>
  )
}

/** Messages of a snapshot have no identity but their place, and never move. */
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
