import { Suspense } from 'react'
import { LaterTexts } from '../../../shared/i18n/index.ts'
import { earlyPart, lazyPart } from '../../../shared/lazy/index.ts'
import type { Suggestion } from './commands/suggestions.ts'
import type { SlashMenuState } from './commands/use-slash-menu.ts'
import type { ComposerState } from './use-composer.ts'

const SlashMenu = earlyPart(async () => (await import('./commands/slash-menu.tsx')).SlashMenu)
const FileFinder = lazyPart(async () => (await import('./commands/file-finder.tsx')).FileFinder)
const QuoteStrip = lazyPart(async () => (await import('./finance/quote-strip.tsx')).QuoteStrip)

interface Props {
  readonly composer: ComposerState
  readonly menu: SlashMenuState
  /** The word by which own files are searched; undefined while there is none. */
  readonly fileWord: string | undefined
  readonly onFiles: (files: readonly Suggestion[]) => void
}

/** What the text brings up above the field: suggestions, and quotes in the finance mode. */
export function ComposerPanels({ composer, menu, fileWord, onFiles }: Props) {
  const { text, modes, image } = composer
  return (
    <>
      {fileWord !== undefined && !menu.closed && (
        <Suspense>
          <LaterTexts part="panels">
            <FileFinder word={fileWord} onFound={onFiles} />
          </LaterTexts>
        </Suspense>
      )}
      {menu.open && (
        <Suspense>
          <SlashMenu
            id="composer-commands"
            suggestions={menu.suggestions}
            active={menu.active}
            onPick={composer.pick}
          />
        </Suspense>
      )}
      {modes.includes('finance') && !image && (
        <Suspense>
          <LaterTexts part="panels">
            <QuoteStrip text={text} />
          </LaterTexts>
        </Suspense>
      )}
    </>
  )
}
