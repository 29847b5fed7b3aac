import { type ComponentProps, memo, Suspense, useDeferredValue } from 'react'
import { lazyPart } from '../lazy/index.ts'
import { PlainParts } from '../markdown/plain-parts.tsx'
// Not loaded with the renderer: a style sheet that failed once is not requested again.
import '../markdown/markdown.css'

const MarkdownAnswer = lazyPart(async () => (await import('../markdown/markdown-answer.tsx')).MarkdownAnswer)

/** Preloads the Markdown renderer, so that no answer is shown without it; a failure is retried on render. */
export const prepareMarkdown = (): Promise<void> => MarkdownAnswer.prepare().catch(() => undefined)

const SteadyAnswer = memo(MarkdownAnswer)

/** An answer's text; plain until the renderer has loaded. While it grows, key presses take precedence over rendering. */
export function AnswerText({ text, growing, ...more }: ComponentProps<typeof MarkdownAnswer>) {
  const unhurried = useDeferredValue(text)
  return (
    <Suspense fallback={<PlainParts text={text} className="leading-[1.65]" />}>
      <SteadyAnswer text={growing ? unhurried : text} growing={growing} {...more} />
    </Suspense>
  )
}
