import type { Hierarchy, HierarchyModel } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { hierarchyQuery, toolsQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { chooseFollow, chooseFollowUps, modelKeys, useReading } from '../../../shared/preferences/index.ts'
import { writeLocal } from '../../../shared/session/index.ts'
import { Box, Switch } from '../../../shared/ui/index.ts'
import { Page, Section } from '../page.tsx'
import { SaveState, useSaving } from '../save-state.tsx'
import type { ProfilePaths } from '../section-list.tsx'
import { LanguageSection } from './language-section.tsx'
import { ModelSelect } from './model-select.tsx'
import { usePreferences } from './use-preferences.ts'

/** `/profile/preferences`: defaults for new chats, and the display of answers. Each choice is saved immediately. */
export function PreferencesTab({ paths }: { paths: ProfilePaths }) {
  const { t } = useText()
  const hierarchy = useQuery(hierarchyQuery)
  const { state, run } = useSaving()
  const { data: tools } = useQuery(toolsQuery)
  const { follow, followUps } = useReading()
  const { preferences, change } = usePreferences(run)
  const changeModel = async (name: 'defaultModel' | 'defaultImageModel', key: string, id: string | null) => {
    // An earlier choice in this browser would take precedence.
    if (await change(name, id)) writeLocal(key, null)
  }
  if (!preferences) return null
  return (
    <Page title={t('profile.tab.preferences')} paths={paths}>
      <LanguageSection />
      <Section title={t('profile.models.title')} lead={t('profile.models.lead')} aside={<SaveState state={state} />}>
        <Box className="divide-y divide-line">
          <Loaded
            query={hierarchy}
            failed={t('models.picker.failed')}
            shape={['40%', '70%', '40%', '70%']}
            className="h-38 p-4 max-md:h-62 md:p-5"
          >
            {(all) => (
              <>
                <ModelSelect
                  label={t('profile.models.text')}
                  hint={t('profile.models.textHint')}
                  models={modelsOf(all, 'text')}
                  value={preferences.defaultModel}
                  onChange={(id) => void changeModel('defaultModel', modelKeys.text, id)}
                />
                <ModelSelect
                  label={t('profile.models.image')}
                  hint={t('profile.models.imageHint')}
                  models={modelsOf(all, 'image')}
                  value={preferences.defaultImageModel}
                  onChange={(id) => void changeModel('defaultImageModel', modelKeys.image, id)}
                />
              </>
            )}
          </Loaded>
        </Box>
      </Section>
      <Section title={t('profile.chats.title')}>
        <Box className="divide-y divide-line">
          <Switch
            label={t('profile.chats.thinking')}
            hint={t('profile.chats.thinkingHint')}
            checked={preferences.showThinking}
            onChange={(checked) => void change('showThinking', checked)}
          />
          <Switch
            label={t('profile.chats.followEnd')}
            hint={t('profile.chats.followEndHint')}
            checked={follow === 'end'}
            onChange={(checked) => chooseFollow(checked ? 'end' : 'question')}
          />
          {tools?.followUps && (
            <Switch
              label={t('profile.chats.followUps')}
              hint={t('profile.chats.followUpsHint')}
              checked={followUps}
              onChange={chooseFollowUps}
            />
          )}
          <Switch
            label={t('profile.chats.autoSave')}
            hint={t('profile.chats.autoSaveHint')}
            checked={preferences.autoSaveChats}
            onChange={(checked) => void change('autoSaveChats', checked)}
          />
        </Box>
      </Section>
    </Page>
  )
}

const modelsOf = ({ providers }: Hierarchy, type: HierarchyModel['modelType']): HierarchyModel[] =>
  providers
    .flatMap(({ groups }) => groups.flatMap(({ models }) => models))
    .filter(({ modelType }) => modelType === type)
