import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRested } from '../../../../shared/chats/index.ts'
import { useText } from '../../../../shared/i18n/index.ts'
import { ownFilesQuery, suggestFiles } from './own-files.ts'
import type { Suggestion } from './suggestions.ts'

interface Props {
  /** The part of the name typed so far. */
  readonly word: string
  readonly onFound: (files: readonly Suggestion[]) => void
}

/** Loads the user's matching files for the menu. The newest are loaded once; the server is searched only if there are more. */
export function FileFinder({ word, onFound }: Props) {
  const { locale } = useText()
  const { data: newest } = useQuery(ownFilesQuery(''))
  const rested = useRested(word)
  const { data: searched } = useQuery({ ...ownFilesQuery(rested), enabled: newest?.complete === false })
  useEffect(() => {
    onFound(suggestFiles([...(newest?.files ?? []), ...(searched?.files ?? [])], word, locale))
  }, [newest, searched, word, locale, onFound])
  useEffect(() => () => onFound([]), [onFound])
  return null
}
