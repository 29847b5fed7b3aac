import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hierarchyQuery } from '../../shared/api/index.ts'
import type { Translate } from '../../shared/i18n/index.ts'
import { useLiveState } from '../../shared/live/index.ts'
import { modelKeys } from '../../shared/preferences/index.ts'
import { readLocal, useSession, writeLocal } from '../../shared/session/index.ts'
import { notify } from '../../shared/ui/index.ts'
import { chooseModel, type ModelNotice, modelsOf, parseStoredModel } from './choose-model.ts'

/** Milliseconds between polls of the models without push events. */
const pollMs = 10_000
const storageKey = modelKeys.text

/** The available models and the selected one. Keeps a usable one selected, and reports when it had to switch. */
export function useModelChoice() {
  const pushed = useLiveState() === 'live'
  const refetchInterval = pushed ? false : pollMs
  const { data: hierarchy, isError, refetch } = useQuery({ ...hierarchyQuery, refetchInterval })
  const guest = useSession((state) => state.token === null)
  const preferred = useSession((state) => state.user?.preferences.defaultModel ?? null)
  const [selected, setSelected] = useState(() => parseStoredModel(readLocal(storageKey)))
  const hadNone = useRef(false)
  useEffect(() => {
    if (!hierarchy) return
    const models = modelsOf(hierarchy, 'text')
    const choice = chooseModel({ models, selected, preferred, guest, hadNone: hadNone.current })
    hadNone.current = choice.id === null
    if (choice.notice) showNotice(choice.notice)
    if (choice.id === null || choice.id === selected || guest) return
    // A stored model that no longer exists must not be reported on every visit.
    if (selected !== null) writeLocal(storageKey, null)
    setSelected(choice.id)
  }, [hierarchy, selected, preferred, guest])
  const models = hierarchy ? modelsOf(hierarchy, 'text') : []
  const current = chooseModel({ models, selected, preferred, guest, hadNone: false }).id
  return {
    hierarchy,
    /** Null while the models are unknown, and if none is usable. */
    model: models.find(({ id }) => id === current) ?? null,
    /** All text models, including locked ones. */
    models,
    isFailed: !hierarchy && isError,
    guest,
    choose: (id: string) => {
      writeLocal(storageKey, id)
      setSelected(id)
    },
    reload: () => void refetch(),
  }
}

export type ModelChoice = ReturnType<typeof useModelChoice>

const showNotice = (notice: ModelNotice): void =>
  notify.info((now) => noticeText(now, notice), { id: `model-${notice.type}`, duration: 8000 })

function noticeText(t: Translate, notice: ModelNotice): string {
  switch (notice.type) {
    case 'disabled':
      return t('models.notice.disabled', { id: notice.id })
    case 'preferred-locked':
      return t('models.notice.preferredLocked', { id: notice.id, model: notice.model })
    case 'available':
      return t('models.notice.available')
    default:
      return notice satisfies never
  }
}
