import { memo, Suspense, useDeferredValue } from 'react'
import { lazyPart } from '../lazy/index.ts'
import { PlainParts } from '../markdown/plain-parts.tsx'
// Not with the renderer: a style sheet that was once not to be had is not asked for again.
import '../markdown/markdown.css'

const MarkdownAnswer = lazyPart(async () => (await import('../markdown/markdown-answer.tsx')).MarkdownAnswer)

/** Loads the Markdown renderer early, so that no answer is drawn without it; what fails is tried again where it is drawn. */
export const prepareMarkdown = (): Promise<void> => MarkdownAnswer.prepare().catch(() => undefined)

const SteadyAnswer = memo(MarkdownAnswer)

interface Props {
  readonly text: string
  readonly growing: boolean
  /** Draw all of it at once, however long it is. */
  readonly whole?: boolean
}

/** An answer's text; plain for as long as the renderer is on its way. While it grows, a key that is pressed goes before the drawing of it. */
export function AnswerText({ text, growing, whole = false }: Props) {
  const unhurried = useDeferredValue(text)
  return (
    <Suspense fallback={<PlainParts text={text} className="leading-[1.65]" />}>
      <SteadyAnswer text={growing ? unhurried : text} growing={growing} whole={whole} />
    </Suspense>
  )
}
