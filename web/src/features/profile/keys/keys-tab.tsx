import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { keysQuery } from '../../../shared/api/index.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { SecretBox } from '../../../shared/secret-box.tsx'
import { Box, Button, Dialog, TextLink, TypedConfirm, useFocusAfter } from '../../../shared/ui/index.ts'
import { Page, Section } from '../page.tsx'
import type { ProfilePaths } from '../section-list.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'
import { RotateForm } from './rotate-form.tsx'
import { useKeyActions, valuesOf } from './use-key-actions.ts'

/** `/profile/keys`: the signed-in user's API keys. */
export function KeysTab({ paths }: { paths: ProfilePaths }) {
  const { t } = useText()
  const query = useQuery(keysQuery)
  const list = useRef<HTMLUListElement>(null)
  const creator = useRef<HTMLButtonElement>(null)
  const actions = useKeyActions(useFocusAfter(list, query.data?.length))
  return (
    <Page title={t('profile.tab.keys')} paths={paths}>
      {actions.shown.map((shown) => (
        <SecretBox
          key={shown.secret}
          {...shown}
          onDone={() => {
            actions.hide(shown)
            creator.current?.focus()
          }}
        />
      ))}
      <Section
        title={t('keys.title')}
        lead={
          <>
            {t('keys.lead')} <TextLink to={paths.docs}>{t('keys.docs')}</TextLink>
          </>
        }
        aside={
          <Button
            ref={creator}
            size="small"
            // A new secret is to be copied first.
            look={actions.shown.length > 0 ? 'plain' : 'primary'}
            onClick={() => actions.ask({ action: 'create' })}
          >
            {t('keys.create.open')}
          </Button>
        }
      >
        <Box className="">
          <Loaded query={query} failed={t('keys.failed')} shape={['35%', '70%', '100%', '45%']}>
            {(keys) =>
              keys.length === 0 ? (
                <p className="p-4 text-ink-2 md:p-5">{t('keys.empty')}</p>
              ) : (
                <ul ref={list} className="divide-y divide-line">
                  {keys.map((key) => (
                    <KeyRow key={key.id} apiKey={key} onAct={(action) => actions.ask({ action, key })} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Box>
      </Section>
      <KeyDialog actions={actions} />
    </Page>
  )
}

function KeyDialog({ actions }: { actions: ReturnType<typeof useKeyActions> }) {
  const { t } = useText()
  const { asked, busy } = actions
  const close = () => actions.ask(null)
  if (asked === null) return null
  return (
    <Dialog open onClose={close} title={t(`keys.question.${asked.action}`)} closable={false}>
      <FormAlert message={actions.failure} />
      {asked.action === 'create' ? (
        <KeyForm
          submitLabel={t('keys.create.submit')}
          fallback="keys.create.failed"
          submit={actions.create}
          onCancel={close}
        />
      ) : asked.action === 'edit' ? (
        <KeyForm
          before={valuesOf(asked.key)}
          submitLabel={t('keys.edit.submit')}
          fallback="keys.edit.failed"
          submit={(values) => actions.update(asked.key, values)}
          onCancel={close}
        />
      ) : asked.action === 'rotate' ? (
        <RotateForm busy={busy} onRotate={(minutes) => void actions.rotate(asked.key, minutes)} onCancel={close} />
      ) : (
        <TypedConfirm
          expected={asked.key.label}
          text={t('keys.revoke.text')}
          label={t('keys.revoke.confirm', { label: asked.key.label })}
          mismatch={t('keys.revoke.mismatch')}
          confirmLabel={t('keys.action.revoke')}
          busy={busy}
          onConfirm={() => void actions.revoke(asked.key)}
          onCancel={close}
        />
      )}
    </Dialog>
  )
}
