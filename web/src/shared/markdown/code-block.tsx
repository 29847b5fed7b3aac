import { partsOf } from '@parley/markdown'
import { Download, WrapText } from 'lucide-react'
import { type CSSProperties, memo, type ReactNode, useEffect, useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { copyText } from '../copy-text.ts'
import { useText } from '../i18n/index.ts'
import { useKeptState } from '../kept-state.ts'
import { saveFile } from '../save-file.ts'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { codeFileName } from './code-file.ts'
import { type CodeToken, highlight } from './highlight.ts'

interface Props {
  readonly code: string
  readonly language: string
  /** The fence is still open: more will come. */
  readonly open: boolean
  /** Additional buttons for the toolbar. */
  readonly extra?: ReactNode
}

/** UTF-16 units of code shown before the user asks for all. */
const maxShown = 60_000

/** A fenced code block: language, copy, save, wrap, and highlighting once it is complete. */
export function CodeBlock({ code, language, open, extra }: Props) {
  const { t } = useText()
  // It may grow.
  const name = code.slice(0, 200)
  const [wrap, setWrap] = useKeptState(`wrap ${name}`, false)
  const [whole, setWhole] = useKeptState(`whole ${name}`, false)
  const lines = useHighlighted(code, language, open)
  const cut = !whole && code.length > maxShown
  return (
    <div className={classNames('code-box', wrap && 'code-wrap')} dir="ltr">
      <div className="code-bar">
        <span className="me-auto truncate">{language || t('chat.code.plain')}</span>
        {extra}
        <IconButton label={t('chat.code.wrap')} size="small" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          <WrapText className="size-4" />
        </IconButton>
        <IconButton
          label={t('chat.code.download')}
          size="small"
          disabled={open}
          onClick={() => saveFile(codeFileName(language), code)}
        >
          <Download className="size-4" />
        </IconButton>
        <CopyButton copy={() => copyText(code)} label={t('chat.code.copy')} size="small" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {lines
            ? lines.map((line, index) => <Line key={lineKey(index)} tokens={line} />)
            : partsOf(cut ? code.slice(0, maxShown) : code).map((part, index) => (
                <Part key={lineKey(index)} text={part} />
              ))}
        </code>
      </pre>
      {cut && (
        <button type="button" className="code-more" onClick={() => setWhole(true)}>
          {t('chat.code.showAll', { size: Math.round(code.length / 1_000) })}
        </button>
      )}
    </div>
  )
}

const Line = memo(function Line({ tokens }: { tokens: readonly CodeToken[] }) {
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
})

// A separate element, so that the browser lays out only the growing part.
const Part = memo(function Part({ text }: { text: string }) {
  return <span className="block">{text}</span>
})

// Lines and tokens are identified by position, and only replaced as a whole.
const lineKey = (index: number) => index

function styleOf({ color, fontStyle = 0 }: CodeToken): CSSProperties {
  return { color, ...(fontStyle > 0 && { fontStyle: fontStyle & 1 ? 'italic' : 'normal' }) }
}

function useHighlighted(code: string, language: string, open: boolean) {
  const [lines, setLines] = useState<readonly (readonly CodeToken[])[] | null>(null)
  useEffect(() => {
    setLines(null)
    if (open) return
    let wanted = true
    highlight(code, language).then(
      (result) => wanted && setLines(result),
      // If the grammar cannot be loaded the code stays plain.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [code, language, open])
  return lines
}
