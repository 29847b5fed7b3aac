import type { SharedMessage } from '@parley/contracts'
import type { MathParts } from '@parley/markdown/math'
import { presentMessage } from '../present.ts'
import type { ShareLink, SnapshotMessage } from '../store/documents.ts'
import { elementHtml, type Html, joined, textHtml } from './html.ts'
import { beginningOf, roomOf } from './measure-text.ts'
import { hasFormulas, writeAnswer } from './write-answer.ts'
import { writePlain } from './write-code.ts'

/** Messages, and the room in UTF-16 units, that are more than a screen and a half. */
const mostMessages = 12
const mostRoom = 6_000

/** The first screen of a shared chat. */
export interface FirstScreen {
  readonly html: Html
  /** It needs the style sheet of formulas. */
  readonly hasFormulas: boolean
}

/**
 * The title of a shared chat and its first messages as HTML, in the markup of the page's script (`web/src/features/share`), which takes the elements over: what
 * both write stays where it is. The date is left to the script, since it depends on the visitor's day and language; its line is there.
 */
export async function writeFirstScreen(link: ShareLink, messages: readonly SnapshotMessage[]): Promise<FirstScreen> {
  const first = messages.slice(0, mostMessages)
  const math = first.some(({ role, content }) => role === 'assistant' && hasFormulas(content)) ? await loadMath() : null
  const shown: Html[] = []
  let taken = 0
  for (const message of first) {
    if (taken >= mostRoom) break
    shown.push(writeMessage(presentMessage(link.shareId, message), mostRoom - taken, math))
    taken += roomOf(message.content)
  }
  const html = joined([writeHeading(link), elementHtml('ol', { class: 'flex flex-col gap-7' }, ...shown)])
  return { html, hasFormulas: math !== null }
}

/** With the first chat that has a formula: few have, and it takes some megabytes. */
const loadMath = async (): Promise<MathParts> => (await import('@parley/markdown/math')).mathParts

const writeHeading = ({ title, sharedAt, model }: ShareLink): Html =>
  elementHtml(
    'div',
    { class: 'mt-6 mb-8' },
    elementHtml(
      'h1',
      { dir: 'auto', class: 'wrap-anywhere text-2xl leading-tight font-semibold tracking-tight' },
      textHtml(title),
    ),
    elementHtml(
      'p',
      { class: 'mt-1.5 flex flex-wrap gap-x-2 text-sm text-ink-3' },
      elementHtml('time', { datetime: sharedAt.toISOString() }, textHtml('\u00A0')),
      elementHtml('span', { class: 'invisible', 'aria-hidden': 'true' }, textHtml('·')),
      elementHtml('span', { class: 'invisible', dir: 'ltr' }, textHtml(model)),
    ),
  )

function writeMessage({ role, content, images = [] }: SharedMessage, room: number, math: MathParts | null): Html {
  const said =
    role === 'user'
      ? [
          elementHtml(
            'div',
            {
              class:
                'ms-auto w-fit max-w-[88%] rounded-[16px] rounded-ee-[4px] bg-bubble px-4 py-2.5 md:max-w-[80%] print:border print:border-line',
            },
            writePlain(beginningOf(content)),
          ),
        ]
      : [...images.map(writeImage), ...(content === '' ? [] : [writeAnswer(content, room, math)])]
  return elementHtml('li', {}, elementHtml('article', {}, ...said))
}

const writeImage = ({ url, width, height }: NonNullable<SharedMessage['images']>[number]): Html =>
  elementHtml(
    'div',
    { class: 'mb-3' },
    elementHtml('img', {
      src: url,
      alt: '',
      width,
      height,
      loading: 'lazy',
      class: 'h-auto max-h-[70dvh] w-auto max-w-full rounded-card border border-line',
    }),
  )
