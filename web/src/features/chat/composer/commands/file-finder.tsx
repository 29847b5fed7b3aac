import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRested } from '../../../../shared/chats/index.ts'
import { useText } from '../../../../shared/i18n/index.ts'
import { ownFilesQuery, suggestFiles } from './own-files.ts'
import type { Suggestion } from './suggestions.ts'

interface Props {
  /** The part of a name that was written so far. */
  readonly word: string
  readonly onFound: (files: readonly Suggestion[]) => void
}

/** Finds the person's own files for the menu, which draws them. The newest are known at once; the server is asked where there are others. */
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
