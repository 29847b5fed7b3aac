import { useText } from '../../../shared/i18n/index.ts'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'

/** Lines in the shape of a chat, while it is on its way. */
export function LoadingShared() {
  const { t } = useText()
  return (
    <div role="status" aria-label={t('share.loading')} className="pt-8">
      <div className="ms-auto w-2/3">
        <Skeleton widths={['100%', '70%']} />
      </div>
      <div className="mt-10">
        <Skeleton widths={['95%', '100%', '88%', '92%', '40%']} />
      </div>
    </div>
  )
}
