import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, LogIn } from 'lucide-react'
import { useState } from 'react'
import { endpoints, keysQuery, messageOf, request } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { SecretBox } from '../../shared/secret-box.tsx'
import { Button, notify } from '../../shared/ui/index.ts'
import { useReader } from './reader.ts'

/** Creates a key for the examples; visitors are sent to sign-in first. */
export function KeyMaker() {
  const { t } = useText()
  const { signedIn, signIn, madeKey, takeKey } = useReader()
  const client = useQueryClient()
  const [kept, setKept] = useState(false)
  const label = t('docs.keys.label')
  const { mutate: make, isPending } = useMutation({
    mutationFn: () => request(endpoints.createKey, { body: { label } }),
    onSuccess: ({ secret }) => {
      takeKey(secret)
      setKept(false)
      void client.invalidateQueries({ queryKey: keysQuery.queryKey })
    },
    onError: (error) => notify.error((now) => messageOf(error, now('docs.keys.failed')), { id: 'docs' }),
  })
  if (!signedIn) {
    return (
      <div>
        <Button onClick={() => signIn('keys')}>
          <LogIn className="size-4 rtl:-scale-x-100" />
          {t('docs.keys.signIn')}
        </Button>
      </div>
    )
  }
  return (
    <>
      {madeKey !== null && !kept && (
        <SecretBox key={madeKey} label={label} secret={madeKey} onDone={() => setKept(true)} />
      )}
      {madeKey === null ? (
        <div>
          <Button look="primary" busy={isPending} onClick={() => make()}>
            <KeyRound className="size-4" />
            {t('docs.keys.make')}
          </Button>
        </div>
      ) : (
        <p role="status">{t('docs.keys.made')}</p>
      )}
    </>
  )
}
