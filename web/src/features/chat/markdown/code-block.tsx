import { type CSSProperties, useContext, useEffect, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { CopyButton } from '../message/copy-button.tsx'
import type { CodeToken } from './highlight.ts'
import { HighlighterContext } from './highlighter-context.ts'

interface Props {
  readonly code: string
  readonly language: string
  /** Its fence is still open: more will come. */
  readonly open: boolean
}

/** A fenced code block: language, copy, and colours once it is complete. */
export function CodeBlock({ code, language, open }: Props) {
  const { t } = useText()
  const lines = useHighlighted(code, language, open)
  return (
    <div className="code-box" dir="ltr">
      <div className="code-bar">
        <span className="truncate">{language || t('chat.code.plain')}</span>
        <CopyButton text={code} label={t('chat.code.copy')} size="small" className="ms-auto" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{lines ? lines.map((line, index) => <Line key={lineKey(index)} tokens={line} />) : code}</code>
      </pre>
    </div>
  )
}

function Line({ tokens }: { tokens: readonly CodeToken[] }) {
  return (
    <>
      {tokens.map((token, index) => (
        <span key={lineKey(index)} style={styleOf(token)}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </>
  )
}

// Lines and tokens have no identity but their place, and are only ever replaced as a whole.
const lineKey = (index: number) => index

function styleOf({ color, fontStyle = 0 }: CodeToken): CSSProperties {
  return { color, ...(fontStyle > 0 && { fontStyle: fontStyle & 1 ? 'italic' : 'normal' }) }
}

function useHighlighted(code: string, language: string, open: boolean) {
  const highlighter = useContext(HighlighterContext)
  const [lines, setLines] = useState<readonly (readonly CodeToken[])[] | null>(null)
  useEffect(() => {
    setLines(null)
    if (open || !highlighter) return
    let wanted = true
    highlighter.highlight(code, language).then(
      (result) => wanted && setLines(result),
      // A grammar that cannot be loaded leaves the code plain, which is readable.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [highlighter, code, language, open])
  return lines
}
