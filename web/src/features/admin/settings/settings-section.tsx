import type { AdminSettings, SettingsPatch } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { request } from '../../../shared/api/index.ts'
import { formatBytes } from '../../../shared/format.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, Button, ConfirmDialog } from '../../../shared/ui/index.ts'
import { AuditList } from '../audit/audit-list.tsx'
import { auditQuery } from '../audit/audit-query.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'
import { Page, Panel } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NumberSetting } from './number-setting.tsx'
import { PromptSetting } from './prompt-setting.tsx'
import { type SaveSettings, useSaveSettings } from './save-settings.ts'
import { settingsQuery } from './settings-query.ts'
import { SwitchSetting } from './switch-setting.tsx'

const shownActs = 10

/** `/admin/settings`: the settings of the installation. Limits have a section of their own. */
export function SettingsSection() {
  const { t } = useText()
  const settings = useQuery(settingsQuery)
  const { saving, busy } = useSaveSettings()
  const save = saving('settings.updated', 'settings.updateFailed')
  return (
    <Page title={t('admin.section.settings')}>
      <Loaded query={settings} failed={t('admin.failed')} shape={['100%', '60%', '100%', '60%']}>
        {(now) => <Groups settings={now} save={save} busy={busy} />}
      </Loaded>
      {!settings.isPending && (
        <>
          <CacheGroup />
          <RecentChanges />
        </>
      )}
    </Page>
  )
}

type Switched = 'local' | 'oauth' | 'verification' | 'titles' | 'followUps'

function Groups({ settings, save, busy }: { settings: AdminSettings; save: SaveSettings; busy: boolean }) {
  const { t, locale } = useText()
  const common = { save, busy, version: settings.version }
  const toggle = (name: Switched, value: boolean, patch: (value: boolean) => SettingsPatch) => (
    <SwitchSetting {...{ save, value, patch }} label={t(`settings.${name}`)} hint={t(`settings.${name}Hint`)} />
  )
  return (
    <div className="flex flex-col gap-7">
      <Panel title={t('settings.registration')}>
        <Box className="divide-y divide-line">
          {toggle('local', settings.registration.local, (local) => ({ registration: { local } }))}
          {toggle('oauth', settings.registration.oauth, (oauth) => ({ registration: { oauth } }))}
          {toggle('verification', settings.emailVerificationRequired, (emailVerificationRequired) => ({
            emailVerificationRequired,
          }))}
        </Box>
      </Panel>
      <Panel title={t('settings.prompt')} lead={t('settings.promptLead')}>
        <PromptSetting {...common} value={settings.systemPrompt} />
      </Panel>
      <Panel title={t('settings.titling')}>
        <Box className="divide-y divide-line">
          {toggle('titles', settings.chatTitles, (chatTitles) => ({ chatTitles }))}
          {toggle('followUps', settings.followUps, (followUps) => ({ followUps }))}
        </Box>
      </Panel>
      <Panel title={t('settings.credits')}>
        <NumberSetting
          {...common}
          name="creditWarningThreshold"
          label={t('settings.threshold')}
          hint={t('settings.thresholdHint')}
          unit="%"
          value={settings.creditWarningThreshold}
          bounds={[1, 100]}
          patch={(creditWarningThreshold) => ({ creditWarningThreshold })}
        />
      </Panel>
      <Panel title={t('settings.privacy')}>
        <NumberSetting
          {...common}
          name="dataExportCooldownMinutes"
          label={t('settings.cooldown')}
          hint={t('settings.cooldownHint')}
          unit={t('settings.minutes')}
          value={settings.dataExportCooldownMinutes}
          bounds={[1, 525_600]}
          patch={(dataExportCooldownMinutes) => ({ dataExportCooldownMinutes })}
        />
      </Panel>
      <Panel title={t('settings.storage')} lead={t('settings.storageLead')}>
        <div className="grid gap-3 lg:grid-cols-2">
          <NumberSetting
            {...common}
            name="maxBytesPerUser"
            label={t('settings.bytes')}
            hint={t('settings.bytesHint')}
            readable={(bytes) => formatBytes(bytes, locale)}
            unit={t('settings.byteUnit')}
            value={settings.storage.maxBytesPerUser}
            bounds={[0, 1_000_000_000_000_000]}
            patch={(maxBytesPerUser) => ({ storage: { maxBytesPerUser } })}
          />
          <NumberSetting
            {...common}
            name="maxChatsPerUser"
            label={t('settings.chats')}
            hint={t('settings.chatsHint')}
            unit={t('settings.chatUnit')}
            value={settings.storage.maxChatsPerUser}
            bounds={[0, 1_000_000_000]}
            patch={(maxChatsPerUser) => ({ storage: { maxChatsPerUser } })}
          />
        </div>
      </Panel>
    </div>
  )
}

function CacheGroup() {
  const { t } = useText()
  const { act, busy, asked, ask, failure } = useAct<'clear'>()
  const clear = () =>
    act((requestId) => request(calls.clearCaches, { requestId }), {
      done: (now) => now('settings.cacheCleared'),
      failed: (now) => now('settings.cacheFailed'),
    })
  return (
    <Panel
      title={t('settings.cache')}
      lead={t('settings.cacheLead')}
      aside={<Button onClick={() => ask('clear')}>{t('settings.clearCache')}</Button>}
    >
      <ConfirmDialog
        open={asked !== null}
        onClose={() => ask(null)}
        title={t('settings.cacheQuestion')}
        text={t('settings.cacheText')}
        confirmLabel={t('settings.clearCache')}
        busy={busy}
        onConfirm={() => void clear()}
      >
        <FormAlert message={failure} />
      </ConfirmDialog>
    </Panel>
  )
}

/** The latest changes of settings, with Undo. */
function RecentChanges() {
  const { t } = useText()
  const entries = useQuery(auditQuery({ action: 'settings.changed', limit: shownActs }))
  return (
    <Panel title={t('settings.changes')}>
      <Loaded query={entries} failed={t('audit.failed')}>
        {(page) => <AuditList entries={page.entries} empty={t('settings.noChanges')} />}
      </Loaded>
    </Panel>
  )
}
