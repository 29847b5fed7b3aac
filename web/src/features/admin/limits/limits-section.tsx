import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { Box } from '../../../shared/ui/index.ts'
import { Page, Panel } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NumberSetting } from '../settings/number-setting.tsx'
import { useSaveSettings } from '../settings/save-settings.ts'
import { settingsQuery } from '../settings/settings-query.ts'
import { SwitchSetting } from '../settings/switch-setting.tsx'
import { LimitForm } from './limit-form.tsx'
import { areas } from './limit-values.ts'

/** `/admin/limits`: the rate limits of users, guests and API clients. */
export function LimitsSection() {
  const { t } = useText()
  const settings = useQuery(settingsQuery)
  const { saving, busy } = useSaveSettings()
  const saveRates = saving('limits.ratesUpdated', 'limits.ratesUpdateFailed')
  const common = { save: saving('settings.updated', 'settings.updateFailed'), busy }
  return (
    <Page title={t('admin.section.limits')}>
      <Loaded query={settings} failed={t('admin.failed')} shape={['100%', '60%', '100%', '60%']}>
        {({ rateLimits, guest, version }) => (
          <div className="flex flex-col gap-7">
            {areas.map((area) => (
              <LimitForm key={area} {...{ area, version, busy }} save={saveRates} saved={rateLimits[area]} />
            ))}
            <Panel title={t('limits.guests')} lead={t('limits.guestsLead')}>
              <Box className="mb-3">
                <SwitchSetting
                  {...common}
                  label={t('limits.guestMode')}
                  hint={t('limits.guestModeHint')}
                  value={guest.enabled}
                  patch={(enabled) => ({ guest: { enabled } })}
                />
              </Box>
              <NumberSetting
                {...common}
                name="weeklyLimit"
                label={t('limits.weekly')}
                hint={t('limits.weeklyHint')}
                unit={t('limits.weeklyUnit')}
                value={guest.weeklyLimit}
                bounds={[0, 100_000]}
                version={version}
                patch={(weeklyLimit) => ({ guest: { weeklyLimit } })}
              />
            </Panel>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
