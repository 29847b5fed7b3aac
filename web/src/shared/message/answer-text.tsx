import { lazy, memo, Suspense, useDeferredValue } from 'react'
import { PlainParts } from '../markdown/plain-parts.tsx'
// Not with the renderer: a style sheet that was once not to be had is not asked for again.
import '../markdown/markdown.css'

/** Loads the Markdown renderer. */
export const loadMarkdown = () => import('../markdown/markdown-answer.tsx')

/** Loads it early, so that it is there with the first answer; what fails is tried again where it is drawn. */
export const prepareMarkdown = (): void => void loadMarkdown().catch(() => undefined)

const MarkdownAnswer = lazy(async () => ({ default: (await loadOnceOnline()).MarkdownAnswer }))

async function loadOnceOnline(): ReturnType<typeof loadMarkdown> {
  try {
    return await loadMarkdown()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return loadOnceOnline()
  }
}

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
