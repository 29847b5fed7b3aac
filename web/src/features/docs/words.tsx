import type { ReactElement } from 'react'
import { T } from '../../shared/i18n/index.ts'
import type { MessageId } from '../../shared/i18n/messages.ts'

const components = {
  code: <code dir="ltr" className="rounded-[5px] bg-active px-1.5 py-0.5 font-mono text-[0.875em] break-words" />,
}

/** A text with inline code; `more` are further elements in it. */
export function Words({ id, more }: { id: MessageId; more?: Record<string, ReactElement> }) {
  return <T id={id} components={{ ...components, ...more }} />
}
