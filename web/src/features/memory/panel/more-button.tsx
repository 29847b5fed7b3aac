import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'

interface Props {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** Loads the next page of a list; nothing if there is none. */
export function MoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  const { t } = useText()
  if (!hasNextPage) return null
  return (
    <div className="mt-3 flex justify-center">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('memory.more')}
      </Button>
    </div>
  )
}
