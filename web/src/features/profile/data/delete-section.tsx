import type { User } from '@parley/contracts'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, Button, Dialog } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'
import { DeleteForm } from './delete-form.tsx'

interface Props {
  readonly user: User
  readonly onSignInAgain: () => void
  readonly onDeleted: () => void
}

export function DeleteSection(props: Props) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Section title={t('profile.delete.title')} lead={t('profile.delete.lead')}>
      <Box>
        <Button look="danger" onClick={() => setOpen(true)}>
          {t('profile.delete.open')}
        </Button>
      </Box>
      <Dialog open={open} onClose={close} title={t('profile.delete.question')} closable={false}>
        <DeleteForm {...props} onCancel={close} />
      </Dialog>
    </Section>
  )
}
