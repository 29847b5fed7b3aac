import { KeepSelection } from '../markdown/keep-selection.tsx'
import { SourcesContext } from '../markdown/sources.ts'
import type { AnswerParts } from './answer-parts.ts'
import { AnswerText } from './answer-text.tsx'
import { Attachments } from './attachments.tsx'
import { Thoughts } from './thoughts.tsx'
import { ToolCards } from './tool-cards.tsx'
import { WebSearch } from './web-search.tsx'

interface Props {
  readonly answer: AnswerParts
  /** The question, which describes the generated images. */
  readonly question: string
  readonly thinking?: boolean
  readonly growing?: boolean
}

/** Everything in an answer: reasoning, searches, tools, images and text. */
export function AnswerBody({ answer, question, thinking = false, growing = false }: Props) {
  return (
    <>
      <Thoughts reasoning={answer.reasoning} thinkingMs={answer.thinkingMs} thinking={thinking} />
      {answer.webSearch && <WebSearch search={answer.webSearch} growing={growing} />}
      <ToolCards calls={answer.toolCalls} />
      <Attachments attachments={answer.attachments} prompt={question} />
      {answer.content !== '' && (
        <SourcesContext value={answer.webSearch?.results ?? nothing}>
          <AnswerText text={answer.content} growing={growing} box={KeepSelection} />
        </SourcesContext>
      )}
    </>
  )
}

const nothing = [] as const
