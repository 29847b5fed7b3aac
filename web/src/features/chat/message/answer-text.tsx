import { lazy, Suspense } from 'react'

/** Loads the Markdown renderer; called early so that it is there with the first answer. */
export const loadMarkdown = () => import('../markdown/markdown-answer.tsx')

const MarkdownAnswer = lazy(async () => ({ default: (await loadMarkdown()).MarkdownAnswer }))

/** An answer's text; plain for as long as the renderer is on its way. */
export function AnswerText({ text, growing }: { text: string; growing: boolean }) {
  const plain = (
    <p dir="auto" className="whitespace-pre-wrap leading-[1.65] wrap-anywhere">
      {text}
    </p>
  )
  return (
    <Suspense fallback={plain}>
      <MarkdownAnswer text={text} growing={growing} />
    </Suspense>
  )
}
